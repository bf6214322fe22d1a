import { LongInteger, readJson } from '../../../../json/src/numbers/read-json.js';

/** The value that a typed text means, or why it means none. */
export type Typed = { readonly value: unknown } | { readonly problem: string };

/** Nothing typed: a value that is left out. */
const nothing: Typed = { value: undefined };
const tooLong = 'A number of the call would lose digits. Write it in quotes, if the tool takes a text.';

/** Reads JSON as a person types it, digit for digit. */
export function readTyped(text: string): Typed {
  if (text.trim() === '') return nothing;
  try {
    const value = readJson(text);
    return hasLongInteger(value) ? { problem: tooLong } : { value };
  } catch {
    return { problem: 'This is not JSON yet. A text needs quotes, as in "hello".' };
  }
}

/** Reads a number as a person types it. */
export function readNumber(text: string): Typed {
  if (text.trim() === '') return nothing;
  const typed = readTyped(text);
  if ('problem' in typed && typed.problem === tooLong) return typed;
  if ('value' in typed && Number.isFinite(typed.value)) return typed;
  return { problem: 'This is not a number yet. Numbers are written as 12 or 0.5.' };
}

/** Reads the arguments of a call: a JSON object. */
export function readObject(text: string): Record<string, unknown> | undefined {
  const typed = readTyped(text === '' ? '{}' : text);
  if (!('value' in typed) || typeof typed.value !== 'object' || typed.value === null) return undefined;
  return Array.isArray(typed.value) ? undefined : (typed.value as Record<string, unknown>);
}

function hasLongInteger(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof LongInteger || Object.values(value).some(hasLongInteger);
}
