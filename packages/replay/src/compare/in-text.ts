/** The longest text that is read as JSON. */
const MAX_TEXT = 4_000_000;

/** The list or object in a text: many tools write JSON for models, and the order of its members means nothing. */
export function inText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value) || value.length > MAX_TEXT) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}
