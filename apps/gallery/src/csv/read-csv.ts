import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type ToolContext, ToolError } from '@toolwright/core';
import { CsvError, parse } from 'csv-parse';
import { CsvAnalysis } from './csv-analysis.js';

/** How many records lie between two words about progress. */
const STEP = 1_000;

/**
 * Reads a file once, record by record, and closes it. Tells how far it is, and stops when the call ends.
 *
 * @throws {ToolError} when it is not CSV, with the line
 */
export async function readCsv(file: FileHandle, ctx: ToolContext): Promise<CsvAnalysis> {
  const { size } = await file.stat();
  const source = file.createReadStream();
  const analysis = new CsvAnalysis();
  const consume = async (records: AsyncIterable<string[]>): Promise<void> => {
    for await (const record of records) {
      analysis.add(record);
      if (analysis.rows % STEP === 0) ctx.progress(source.bytesRead, size, `${analysis.rows} records`);
    }
  };
  try {
    // A quote that is never closed would otherwise make one record of the rest of the file.
    const parser = parse({ bom: true, skip_empty_lines: true, max_record_size: 1_000_000 });
    await pipeline(source, parser, consume, { signal: ctx.signal });
  } catch (error) {
    throw error instanceof CsvError ? notCsv(error) : error;
  }
  if (analysis.columns.length === 0) throw new ToolError('The file is empty. Choose another one.');
  return analysis;
}

function notCsv(error: CsvError): ToolError {
  return new ToolError(`The file is not valid CSV: ${error.message}. Choose another one.`, { cause: error });
}
