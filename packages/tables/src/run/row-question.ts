import { cleanText, cutText } from '@toolwright/json';
import { columnsOf, type DatabaseTable } from './database-table.js';
import { shownValue } from './values.js';

/** A person reads no longer value in a question. */
const LONGEST_VALUE = 80;
const MOST_COLUMNS = 12;

/**
 * What to ask a user before a row is changed or deleted: which row it is, and which columns get which values. What a model has
 * sent cannot pass for words of the question: a text is in quotation marks, and nothing in it hides.
 *
 * @param what the verb and what a row is called, such as `Change film`
 * @param values the key, and the columns that change
 */
export function rowQuestion(what: string, table: DatabaseTable, values: object): string {
  const given = values as Readonly<Record<string, unknown>>;
  const key = table.key ?? [];
  const row = key.map((member) => quoted(given[member])).join(', ');
  const changed = [...columnsOf(table).values()].filter(
    ({ member }) => !key.includes(member) && Object.hasOwn(given, member) && given[member] !== undefined,
  );
  if (changed.length === 0) return `${what} ${row}?`;
  const columns = changed
    .slice(0, MOST_COLUMNS)
    .map(({ member, isWriteOnly }) => `${member} = ${isWriteOnly ? '(secret)' : quoted(given[member])}`);
  const more = changed.length - columns.length;
  return `${what} ${row}: ${columns.join(', ')}${more > 0 ? `, and ${more} more columns` : ''}?`;
}

function quoted(value: unknown): string {
  const text = cleanText(shownValue(value), 'escape');
  const isText = typeof value === 'string' || value instanceof Uint8Array;
  const cut = cutText(text, LONGEST_VALUE, '…');
  return isText ? JSON.stringify(cut) : cut;
}
