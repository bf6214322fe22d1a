interface Found {
  path: readonly (string | number)[];
  items: readonly unknown[];
  bytes: number;
}

export interface Cut {
  value: unknown;
  /** What is missing, such as `150 of 200 items of results`. */
  dropped: string[];
}

/**
 * Cuts a JSON value to `limit` bytes by dropping items from the end of its arrays, the largest array first.
 * Returns `undefined` when this is not enough.
 */
export function cutArrays(value: unknown, limit: number): Cut | undefined {
  let current = value;
  const dropped: string[] = [];
  for (;;) {
    const excess = bytesOf(current) - limit;
    if (excess <= 0) return { value: current, dropped };
    const largest = largestArray(current);
    if (!largest) return undefined;
    const { path, items } = largest;
    const kept = dropEnd(items, excess);
    current = replaceAt(current, path, kept);
    dropped.push(
      `${items.length - kept.length} of ${items.length} items${path.length ? ` of ${path.join('.')}` : ''}`,
    );
  }
}

function dropEnd(items: readonly unknown[], excess: number): unknown[] {
  let saved = 0;
  let length = items.length;
  // Each item takes its comma with it.
  while (length > 0 && saved < excess) saved += bytesOf(items[--length]) + 1;
  return items.slice(0, length);
}

function largestArray(value: unknown, path: readonly (string | number)[] = []): Found | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const own =
    Array.isArray(value) && value.length > 0 ? { path, items: value, bytes: bytesOf(value) } : undefined;
  // An array of large arrays is cut as a whole: fewer complete items are better than many empty ones.
  if (own) return own;
  return Object.entries(value)
    .map(([key, part]) => largestArray(part, [...path, key]))
    .reduce((a, b) => (!a || (b && b.bytes > a.bytes) ? b : a), undefined);
}

function replaceAt(value: unknown, [key, ...rest]: readonly (string | number)[], kept: unknown[]): unknown {
  if (key === undefined) return kept;
  return { ...(value as object), [key]: replaceAt((value as Record<string, unknown>)[key], rest, kept) };
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}
