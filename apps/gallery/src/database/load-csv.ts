import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ToolError } from '@toolwright/core';
import { CsvError, parse } from 'csv-parse';
import { CsvAnalysis } from '../csv/csv-analysis.js';
import { type Database, quoteName } from './database.js';

const MOST_ROWS = 50_000;
const ROWS_AT_ONCE = 5_000;

interface Loaded {
  rows: number;
  columns: string[];
}

/**
 * Makes a table of a CSV file, and closes the file. Columns of numbers become numbers, all others text.
 *
 * @throws {ToolError} when the file is no such table, or there is one of that name
 */
export async function loadCsv(file: FileHandle, table: string, database: Database): Promise<Loaded> {
  const { analysis, records } = await readRecords(file);
  const columns = analysis.columns.map(({ name }) => name);
  const types = analysis.columns.map(({ text }) => (text ? 'text' : 'float8'));
  const fields = columns.map((name, index) => `${quoteName(name)} ${types[index]}`);
  await database.query(`CREATE TABLE ${quoteName(table)} (${fields.join(', ')})`).catch(explain);
  // One array for each column: the number of parameters does not grow with the rows.
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
  const insert = `INSERT INTO ${quoteName(table)} SELECT * FROM unnest(${arrays})`;
  for (let from = 0; from < records.length; from += ROWS_AT_ONCE) {
    const rows = records.slice(from, from + ROWS_AT_ONCE);
    const valuesOf = (column: number) => rows.map((row) => (row[column] === '' ? null : row[column]));
    await database.query(insert, [...columns.keys()].map(valuesOf));
  }
  return { rows: records.length, columns };
}

async function readRecords(file: FileHandle): Promise<{ analysis: CsvAnalysis; records: string[][] }> {
  const analysis = new CsvAnalysis();
  const records: string[][] = [];
  const consume = async (source: AsyncIterable<string[]>): Promise<void> => {
    for await (const record of source) {
      if (analysis.columns.length > 0) records.push(record);
      analysis.add(record);
      if (records.length > MOST_ROWS) throw new ToolError(`Send a file of ${MOST_ROWS} records at most.`);
    }
  };
  try {
    await pipeline(file.createReadStream(), parse({ bom: true, max_record_size: 1_000_000 }), consume);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new ToolError(`The file is not valid CSV: ${error.message}. Send another one.`, { cause: error });
  }
  return { analysis, records };
}

/** By Postgres's codes: the table is there already; a column's name is there twice, or is none. */
function explain(cause: unknown): never {
  const { code } = cause as { code?: string };
  if (code === '42P07') throw new ToolError('There is a table of that name. Send another name.', { cause });
  if (code === '42701' || code === '42601') {
    throw new ToolError('Columns of the file have no name, or the same one. Send another file.', { cause });
  }
  throw cause;
}
