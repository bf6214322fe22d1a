import { readdir } from 'node:fs/promises';
import {
  Inject,
  type integer,
  MaxOutput,
  McpService,
  McpTool,
  ToolContext,
  ToolError,
} from '@toolwright/core';
import type { RootedPath } from '@toolwright/safe';
import { DATA_FOLDER } from '../data-folder.js';
import type { Column } from './column.js';
import type { CsvAnalysis } from './csv-analysis.js';
import { readCsv } from './read-csv.js';

export type Operation = 'sum' | 'average' | 'count';

export interface ColumnResult {
  name: string;
  /** Cells that are not empty. */
  count?: integer;
  sum?: number;
  /** Of the cells that are not empty. */
  average?: number;
}

export interface CsvResult {
  /** Records, without the header. */
  rows: integer;
  columns: ColumnResult[];
}

/** Figures from CSV files of one folder, however large they are: nothing but the current record is in memory. */
@McpService()
export class CsvTools {
  constructor(@Inject(DATA_FOLDER) private readonly folder: RootedPath) {}

  /** List the CSV files that analyze_csv can read. Returns their paths. */
  @McpTool({ name: 'list_csv_files', annotations: { readOnlyHint: true, openWorldHint: false } })
  async listCsvFiles(): Promise<{ files: string[] }> {
    const entries = await readdir(this.folder.root, { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.csv'));
    return { files: files.map(({ name }) => name).sort() };
  }

  /**
   * Analyse the columns of a CSV file whose first record names them. Returns the number of records and, for each column,
   * what was asked for. Columns that hold text are only counted.
   * @param filepath path as list_csv_files gives it
   * @param operations what to work out
   * @param columns names of the columns; all when left out
   */
  @McpTool({ name: 'analyze_csv', annotations: { readOnlyHint: true, openWorldHint: false } })
  @MaxOutput({ tokens: 10_000 })
  async analyzeCsv(
    /** @pattern \.csv$ */ filepath: string,
    /** @minItems 1 @uniqueItems true */ operations: Operation[],
    ctx: ToolContext,
    /** @minItems 1 @maxItems 100 */ columns?: string[],
  ): Promise<CsvResult> {
    const analysis = await readCsv(await this.folder.open(filepath), ctx);
    const chosen = columns?.map((name) => columnOf(analysis, name)) ?? analysis.columns;
    if (columns) for (const column of chosen) requireNumbers(column, operations);
    return { rows: analysis.rows, columns: chosen.map((column) => resultOf(column, operations)) };
  }
}

function columnOf({ columns }: CsvAnalysis, name: string): Column {
  const column = columns.find((each) => each.name === name);
  if (column) return column;
  const names = columns.map((each) => `"${each.name}"`).join(', ');
  throw new ToolError(`The file has no column "${name}". Its columns are ${names}.`);
}

/** Who asks for a column by name wants its sum; leaving it out without a word would look like an answer. */
function requireNumbers({ name, text, isNumeric }: Column, operations: readonly Operation[]): void {
  if (isNumeric || operations.every((operation) => operation === 'count')) return;
  const reason = text
    ? `has text ("${text.value.slice(0, 40)}" in record ${text.record})`
    : 'has numbers that are too large to add up';
  throw new ToolError(`The column "${name}" ${reason}. Ask only for "count" of it.`);
}

function resultOf(column: Column, operations: readonly Operation[]): ColumnResult {
  const { isNumeric } = column;
  return {
    name: column.name,
    ...(operations.includes('count') && { count: column.count }),
    ...(operations.includes('sum') && isNumeric && { sum: column.sum }),
    ...(operations.includes('average') && isNumeric && { average: column.average }),
  };
}
