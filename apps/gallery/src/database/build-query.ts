import { ToolError } from '@toolwright/core';
import { columnTypes } from './column-type.js';
import { quoteName } from './database.js';
import type { Table, TableColumn } from './table.js';

/** Each operator, and the SQL it stands for. Nothing else of a caller's becomes SQL. */
const operators = {
  equals: (column: string, value: string) => `${column} = ${value}`,
  not: (column: string, value: string) => `${column} <> ${value}`,
  less: (column: string, value: string) => `${column} < ${value}`,
  greater: (column: string, value: string) => `${column} > ${value}`,
  contains: (column: string, value: string) =>
    `position(lower(${value}::text) in lower(${column}::text)) > 0`,
};

export const operatorNames = Object.keys(operators) as (keyof typeof operators)[];

export interface Condition {
  column: string;
  operator: keyof typeof operators;
  value: string | number | boolean;
}

/** What the caller of a table's tool may say; the schema has let nothing else through. */
export interface TableQuery {
  columns?: string[];
  where?: Condition[];
  orderBy?: string;
  descending?: boolean;
  limit?: number;
}

export const DEFAULT_LIMIT = 20;

/**
 * The SQL for a query, and its parameters. Names of columns are looked up among the table's own and quoted; values are
 * parameters. One row more than the limit is asked for: it tells whether there are more.
 *
 * @throws {ToolError} for a value that the column cannot be compared with
 */
export function buildQuery(table: Table, query: TableQuery): { sql: string; parameters: unknown[] } {
  const { columns, where = [], orderBy, descending = false, limit = DEFAULT_LIMIT } = query;
  const column = (name: string) => table.columns.find((each) => each.name === name)!;
  const selected = columns?.map(column) ?? table.columns;
  const conditions = where.map((condition, index) => compare(column(condition.column), condition, index + 1));
  const clauses = [
    `SELECT ${selected.map(show).join(', ')} FROM ${quoteName(table.name)}`,
    ...(conditions.length > 0 ? [`WHERE ${conditions.join(' AND ')}`] : []),
    ...(orderBy !== undefined ? [`ORDER BY ${quoteName(orderBy)} ${descending ? 'DESC' : 'ASC'}`] : []),
    `LIMIT ${Number(limit) + 1}`,
  ];
  return { sql: clauses.join(' '), parameters: where.map(({ value }) => value) };
}

function show({ name, type }: TableColumn): string {
  const known = columnTypes[type];
  return known && !known.asText ? quoteName(name) : `${quoteName(name)}::text AS ${quoteName(name)}`;
}

function compare({ name, type }: TableColumn, { operator, value }: Condition, position: number): string {
  const known = columnTypes[type];
  if (!known)
    throw new ToolError(`The column "${name}" (${type}) cannot be compared. Leave it out of "where".`);
  const accepts = operator === 'contains' ? 'string' : known.accepts;
  if (typeof value !== accepts) {
    throw new ToolError(`"${operator}" compares the column "${name}" (${type}) with a ${accepts}. Send one.`);
  }
  const parameter = operator === 'contains' ? `$${position}` : `$${position}::${known.cast}`;
  return operators[operator](quoteName(name), parameter);
}
