import {
  type BoundColumn,
  columnsOf,
  type DatabaseTable,
  nameOf,
  tablesToolError,
} from './database-table.js';
import { StatementParameters, type TableStatement } from './statement.js';
import { readExpression, readValue, shownValue, writeValue } from './values.js';

/** What a caller sent, by the names that callers use. */
type Members = Readonly<Record<string, unknown>>;

/** A statement about one row. `INSERT` and `UPDATE` give the row as it is then. */
export interface RowStatement extends TableStatement {
  readonly shown: readonly BoundColumn[];
}

export function getStatement(table: DatabaseTable, key: object): RowStatement {
  const { shown, list } = shownOf(table);
  const parameters = new StatementParameters();
  const where = keySql(table, key as Members, parameters);
  return { text: `SELECT ${list} FROM ${nameOf(table)} WHERE ${where}`, values: parameters.values, shown };
}

export function insertStatement(table: DatabaseTable, row: object): RowStatement {
  const { shown, list } = shownOf(table);
  const parameters = new StatementParameters();
  const given = givenColumns(table, row as Members);
  const values = given.map(([column, value]) => parameters.take(writeValue(column, value), column.type));
  const what =
    given.length === 0
      ? 'DEFAULT VALUES'
      : `(${given.map(([{ name }]) => name).join(', ')}) VALUES (${values.join(', ')})`;
  return {
    text: `INSERT INTO ${nameOf(table)} ${what} RETURNING ${list}`,
    values: parameters.values,
    shown,
  };
}

/** @throws {ToolError} if nothing is to be changed */
export function updateStatement(table: DatabaseTable, change: object): RowStatement {
  const { shown, list } = shownOf(table);
  const parameters = new StatementParameters();
  const changed = givenColumns(table, change as Members).filter(
    ([{ member }]) => !table.key?.includes(member),
  );
  if (changed.length === 0)
    throw tablesToolError('TW_TABLES_VALUE', 'Say what to change: no column was given.');
  const set = changed.map(
    ([column, value]) => `${column.name} = ${parameters.take(writeValue(column, value), column.type)}`,
  );
  const where = keySql(table, change as Members, parameters);
  return {
    text: `UPDATE ${nameOf(table)} SET ${set.join(', ')} WHERE ${where} RETURNING ${list}`,
    values: parameters.values,
    shown,
  };
}

export function deleteStatement(table: DatabaseTable, key: object): TableStatement {
  const parameters = new StatementParameters();
  const where = keySql(table, key as Members, parameters);
  return {
    text: `DELETE FROM ${nameOf(table)} WHERE ${where} RETURNING 'deleted' AS c0`,
    values: parameters.values,
  };
}

/** A row with the names that callers use. */
export const rowOf = (shown: readonly BoundColumn[], row: Members): Members =>
  Object.fromEntries(shown.map((column, index) => [column.member, readValue(column, row[`c${index}`])]));

/** The key as text, for messages. */
export const keyText = ({ key = [] }: DatabaseTable, values: object) =>
  key.map((member) => `${member} ${shownValue((values as Members)[member])}`).join(', ');

function shownOf(table: DatabaseTable): { shown: readonly BoundColumn[]; list: string } {
  const shown = [...columnsOf(table).values()].filter(({ isWriteOnly }) => !isWriteOnly);
  const list = shown.map((column, index) => `${readExpression(column)} AS c${index}`).join(', ');
  return { shown, list: list === '' ? "'' AS c0" : list };
}

function keySql(table: DatabaseTable, values: Members, parameters: StatementParameters): string {
  const { key = [] } = table;
  const columns = columnsOf(table);
  // Without a condition, a statement would be about all rows.
  if (key.length === 0) throw new TypeError(`The table ${table.name} has no key.`);
  return key
    .map((member) => {
      const column = columns.get(member)!;
      return `${column.name} = ${parameters.take(writeValue(column, values[member]), column.type)}`;
    })
    .join(' AND ');
}

/** The columns that a caller gave a value. A member without a column never becomes SQL. */
const givenColumns = (table: DatabaseTable, values: Members): [BoundColumn, unknown][] =>
  [...columnsOf(table).values()]
    .filter(({ member }) => Object.hasOwn(values, member) && values[member] !== undefined)
    .map((column) => [column, values[column.member]]);
