import { tablesToolError } from './database-table.js';

/** Where a page ended: the order that it has, and the values of its last row in it. Without a key, how many rows were before. */
export interface PageCursor {
  readonly order: string;
  readonly values: readonly (string | null)[];
}

/** A cursor as callers get it. It has nothing that they have not read, so it needs no seal: a changed one is another place. */
export const cursorText = ({ order, values }: PageCursor) =>
  Buffer.from(JSON.stringify([order, ...values])).toString('base64url');

/**
 * The cursor that a caller sent.
 *
 * @param accepts whether these values are a place in the list
 * @throws {ToolError} if it is broken, or belongs to another order
 */
export function readCursor(
  text: string,
  order: string,
  accepts: (values: readonly (string | null)[]) => boolean,
): PageCursor {
  const [given, ...values] = partsOf(text);
  if (given !== order || !values.every(isPlace) || !accepts(values))
    throw tablesToolError(
      'TW_TABLES_VALUE',
      'The cursor belongs to another list. Send the `next` of the page before, with the same order.',
    );
  return { order, values };
}

const isPlace = (value: unknown): value is string | null => value === null || typeof value === 'string';

function partsOf(text: string): readonly unknown[] {
  try {
    const parts = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown;
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
