/**
 * The deepest nesting of a message. Real calls stay far below it. Recursion over deeper ones could exhaust
 * the stack.
 */
export const MAX_DEPTH = 64;
/** The largest number of keys in one object. */
export const MAX_KEYS = 10_000;

/**
 * The largest number of messages in a batch. Each may be answered with a whole list, so a small body could
 * ask for gigabytes.
 */
export const MAX_BATCH = 100;
/** The longest text that is sent back again and again, such as a progress token. */
export const MAX_REPEATED = 1_000;
/**
 * The longest URI that may be watched. No longer URI is matched against templates, and each is kept as long
 * as its stream.
 */
export const MAX_URI = 8_192;
/** The largest description of a client, as JSON, that a session keeps. */
export const MAX_DESCRIPTION = 16_384;

/** What is wrong with the size of a parsed message, or `undefined`. It goes no deeper than the limit. */
export function findExcess(value: unknown, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= MAX_DEPTH) return `The message is nested more than ${MAX_DEPTH} levels deep.`;
  if (Array.isArray(value)) {
    for (const item of value) {
      const excess = findExcess(item, depth + 1);
      if (excess) return excess;
    }
    return undefined;
  }
  let keys = 0;
  for (const key in value) {
    if (++keys > MAX_KEYS) return `An object of the message has more than ${MAX_KEYS} keys.`;
    const excess = findExcess((value as Record<string, unknown>)[key], depth + 1);
    if (excess) return excess;
  }
  return undefined;
}
