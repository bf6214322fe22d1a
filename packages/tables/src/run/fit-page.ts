import { cleanText, cleanValue, cutText } from '@toolwright/json';
import { type DatabaseTable, tablesToolError } from './database-table.js';
import { keyText } from './row-statements.js';
import type { RowPage } from './list-rows.js';

type Row = Readonly<Record<string, unknown>>;

/** What a row of a page is, and the cursor behind it. */
export interface PlacedRow {
  readonly row: Row;
  readonly next: string;
}

/** `cursor` of `ListRows` takes no longer one. */
const LONGEST_CURSOR = 10_000;
/** The members of a page around its rows, and the comma behind each row. */
const AROUND = 100;
/** A value that is shorter than this is not what makes a row large. */
const SHORTEST_CUT = 100;

/**
 * The rows of a page that fit together. `next` begins behind the last of them: what is cut later, by `@MaxOutput`, would be in no
 * page. A first row that is too large alone is given with its longest values cut.
 *
 * @param found the rows in their order
 * @param hasMore whether the table has rows behind them
 * @throws {ToolError} if a row is too large and nothing of it can be cut, or the order has no place to go on
 */
export function fitPage<Shown>(
  table: DatabaseTable,
  { found, hasMore, bytes }: { found: readonly PlacedRow[]; hasMore: boolean; bytes: number },
): RowPage<Shown> {
  const rows: Row[] = [];
  let used = AROUND;
  for (const { row, next } of found) {
    const size = bytesOf(row) + 1;
    if (used + size + next.length > bytes) break;
    used += size;
    rows.push(row);
  }
  const [first] = found;
  const cut: string[] = [];
  if (first && rows.length === 0)
    rows.push(cutRow(table, first.row, { bytes: bytes - AROUND - placeOf(first).length, cut }));
  const isWhole = rows.length === found.length && !hasMore;
  return {
    rows: rows as Shown[],
    ...(cut.length > 0 && { cut }),
    ...(!isWhole && rows.length > 0 && { next: placeOf(found[rows.length - 1]!) }),
  };
}

function placeOf({ next }: PlacedRow): string {
  if (next.length <= LONGEST_CURSOR) return next;
  throw tablesToolError(
    'TW_TABLES_VALUE',
    'The values of "orderBy" are too long for a cursor. Use another order.',
  );
}

/** Halves the longest value until the row fits. Its key stays, so that the row can be named. */
function cutRow(table: DatabaseTable, whole: Row, { bytes, cut }: { bytes: number; cut: string[] }): Row {
  let row = whole;
  while (bytesOf(row) > bytes) {
    const [longest] = Object.entries(row)
      .filter(([member]) => table.key?.includes(member) !== true)
      .map(([member, value]) => ({ member, value, size: bytesOf(value) }))
      .sort((a, b) => b.size - a.size);
    if (!longest || longest.size < SHORTEST_CUT)
      throw tablesToolError(
        'TW_TABLES_VALUE',
        `The row of ${table.name}${table.key ? ` with ${keyText(table, whole)}` : ''} is too large to be listed.`,
      );
    row = { ...row, [longest.member]: halfOf(longest.value) };
    if (!cut.includes(longest.member)) cut.push(longest.member);
  }
  return row;
}

/** A list keeps its first items. Other JSON becomes the beginning of its text. */
function halfOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, Math.floor(value.length / 2));
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return cutText(text, Math.floor(text.length / 2), '…');
}

/** As it is sent: characters that hide are written out by then, and take more room. */
const bytesOf = (value: unknown) =>
  Buffer.byteLength(JSON.stringify(cleanValue(value, (text) => cleanText(text, 'escape'))));
