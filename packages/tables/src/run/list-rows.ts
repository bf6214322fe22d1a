import type { integer } from '@toolwright/core';
import {
  type BoundColumn,
  columnsOf,
  type DatabaseTable,
  nameOf,
  tablesToolError,
} from './database-table.js';
import { cursorText, readCursor } from './page-cursor.js';
import { conditionSql, type RowCondition } from './row-conditions.js';
import { StatementParameters, type TableStatement } from './statement.js';
import { readExpression } from './values.js';

/** Which rows of a table, in which order, and how many. */
export interface ListRows<Column extends string = string> {
  /**
   * All of these must hold
   * @maxItems 10
   */
  where?: RowCondition<Column>[];
  /** What to sort by */
  orderBy?: Column;
  /** Largest first */
  descending?: boolean;
  /**
   * How many rows at most
   * @minimum 1
   * @maximum 100
   * @default 20
   */
  limit?: integer;
  /**
   * `next` of the page before
   * @maxLength 10000
   */
  cursor?: string;
}

/** A page of rows. */
export interface RowPage<Row> {
  rows: Row[];
  /** The cursor of the next page, if there is one */
  next?: string;
  /** Columns of the only row that were too long: it has their beginning */
  cut?: string[];
}

const USUAL_LIMIT = 20;
const MOST_ROWS = 100;

/** A column that pages are sorted by. */
interface Sorted {
  readonly column: BoundColumn;
  readonly isDescending: boolean;
  readonly isNullable: boolean;
}

/** The statement of a page, and how its answer is read. */
export interface PageStatement extends TableStatement {
  readonly limit: number;
  readonly shown: readonly BoundColumn[];
  /** The cursor behind a row, and how many rows of the page are up to it. */
  nextOf(row: Readonly<Record<string, unknown>>, count: number): string;
}

/**
 * The statement that reads a page. Rows after the last one of the page before are found by their key, so that rows that come or
 * go meanwhile move no other. One row more than the limit is asked for: it tells whether there are more.
 *
 * @throws {ToolError}
 */
export function pageStatement(table: DatabaseTable, query: ListRows): PageStatement {
  const columns = columnsOf(table);
  const parameters = new StatementParameters();
  const limit = Math.min(Math.max(Math.trunc(Number(query.limit)) || USUAL_LIMIT, 1), MOST_ROWS);
  const sorted = sortedBy(table, query, columns);
  const order = `${query.orderBy ?? ''} ${query.descending === true}`;
  const shown = [...columns.values()].filter(({ isWriteOnly, kind }) => !isWriteOnly && kind !== 'bytes');
  const conditions = (query.where ?? []).map((each) =>
    conditionSql(comparable(each.column, columns), each, parameters),
  );
  const cursor =
    query.cursor === undefined ? undefined : readCursor(query.cursor, order, placeIn(table, sorted));
  if (cursor && table.key) conditions.push(afterSql(sorted, cursor.values, parameters));
  const skipped = cursor && !table.key ? Number(cursor.values[0]) : 0;
  const text = [
    `SELECT ${[
      ...shown.map((column, index) => `${readExpression(column)} AS c${index}`),
      ...sorted.map(({ column: { name } }, index) => `${name}::text AS s${index}`),
    ].join(', ')}`,
    `FROM ${nameOf(table)}`,
    ...(conditions.length > 0 ? [`WHERE ${conditions.join(' AND ')}`] : []),
    ...(sorted.length > 0 ? [`ORDER BY ${sorted.map(orderSql).join(', ')}`] : []),
    `LIMIT ${parameters.take(String(limit + 1), 'bigint')}`,
    ...(skipped > 0 ? [`OFFSET ${parameters.take(String(skipped), 'bigint')}`] : []),
  ].join(' ');
  const nextOf = (row: Readonly<Record<string, unknown>>, count: number) =>
    cursorText({
      order,
      values: table.key
        ? sorted.map((_, index) => (row[`s${index}`] ?? null) as string | null)
        : [String(skipped + count)],
    });
  return { text, values: parameters.values, limit, shown, nextOf };
}

/** A cursor has a value for each column of the order. Rows without a key are counted. */
const placeIn = ({ key }: DatabaseTable, sorted: readonly Sorted[]) =>
  key
    ? (values: readonly unknown[]) => values.length === sorted.length
    : ([count, ...more]: readonly (string | null)[]) => /^\d{1,9}$/.test(count ?? '') && more.length === 0;

/** The column that a caller chose, and then the key, which no two rows share. */
function sortedBy(
  { key = [] }: DatabaseTable,
  { orderBy, descending = false }: ListRows,
  columns: ReadonlyMap<string, BoundColumn>,
): Sorted[] {
  const chosen =
    orderBy === undefined
      ? []
      : [
          {
            column: comparable(orderBy, columns),
            isDescending: descending,
            isNullable: !key.includes(orderBy),
          },
        ];
  return [
    ...chosen,
    ...key
      .filter((member) => member !== orderBy)
      .map((member) => ({ column: columns.get(member)!, isDescending: descending, isNullable: false })),
  ];
}

/** @throws {ToolError} for a name that is not in the table: the schema of the tool lets none through */
function comparable(member: string, columns: ReadonlyMap<string, BoundColumn>): BoundColumn {
  const column = columns.get(member);
  if (column && !column.isWriteOnly) return column;
  throw tablesToolError('TW_TABLES_VALUE', `There is no column ${member}.`);
}

/** Rows without a value are last, and first in the other direction: that is the order of an index. */
const orderSql = ({ column: { name }, isDescending }: Sorted) => `${name} ${isDescending ? 'DESC' : 'ASC'}`;

/**
 * Rows that come after one with these values: later in the first column, or equal in it and later in the next, and so on. The
 * bound before the alternatives says nothing new. An index begins there, and not at its first row.
 */
function afterSql(
  sorted: readonly Sorted[],
  values: readonly (string | null)[],
  parameters: StatementParameters,
): string {
  const [first, ...others] = sorted;
  const [value = null, ...left] = values;
  if (!first) return 'false';
  const { isDescending, isNullable, column } = first;
  const { name, type } = column;
  if (value === null) {
    const same =
      others.length === 0 ? 'false' : `(${name} IS NULL AND ${afterSql(others, left, parameters)})`;
    return isDescending ? `(${name} IS NOT NULL OR ${same})` : same;
  }
  const place = parameters.take(value, type);
  const empty = isNullable && !isDescending ? ` OR ${name} IS NULL` : '';
  const sign = isDescending ? '<' : '>';
  if (others.length === 0) return `(${name} ${sign} ${place}${empty})`;
  const rest = afterSql(others, left, parameters);
  return `((${name} ${sign}= ${place}${empty}) AND (${name} ${sign} ${place}${empty} OR (${name} = ${place} AND ${rest})))`;
}
