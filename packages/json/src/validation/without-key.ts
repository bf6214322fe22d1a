import { isObject, isPlainObject } from '../base/json-values.js';

/** Takes the key out of a value: of each text and each name of a member. A value without it stays the same one. */
export type KeyRemover = <T>(value: T) => T;

/** Is in the place of the key. */
const REMOVED = '‹key›';

/** Shorter keys are words that people write where a key is asked for and nobody checks it. */
const LEAST_SECRET = 12;

/** A text may be JSON inside of JSON, as the arguments of a call of a model are. Nobody puts more of them into each other. */
const MOST_TEXTS = 4;

/** What is deeper is not looked at, and so not shown either. */
const MOST_LEVELS = 1_000;

/** Takes a key out of what others have written, also where a text of JSON has letters of it as escapes. */
export function keyRemover(key = ''): KeyRemover {
  if (key.length < LEAST_SECRET) return (value) => value;
  return <T>(value: T) => removeFrom(value, (text) => cleanText(text, key)) as T;
}

function cleanText(text: string, key: string): string {
  let shown = text;
  let plain = text;
  for (let depth = 0; depth < MOST_TEXTS; depth++) {
    if (plain.includes(key)) shown = plain = plain.replaceAll(key, REMOVED);
    if (!plain.includes('\\')) break;
    plain = unescaped(plain);
  }
  return shown;
}

function removeFrom(value: unknown, clean: (text: string) => string, level = 0): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (level > MOST_LEVELS) return REMOVED;
  if (Array.isArray(value)) {
    const parts = value.map((part) => removeFrom(part, clean, level + 1));
    return parts.some((part, at) => part !== value[at]) ? parts : value;
  }
  if (!isObject(value) || !isPlainObject(value)) return value;
  const before = Object.entries(value);
  const after = before.map(([name, part]) => [clean(name), removeFrom(part, clean, level + 1)] as const);
  const isChanged = after.some(([name, part], at) => name !== before[at]![0] || part !== before[at]![1]);
  return isChanged ? Object.fromEntries(after) : value;
}

const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** What a text of JSON means, whether or not it is whole. */
function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|([^]))/g, (_all, code: string | undefined, letter: string) =>
    code === undefined ? (letters[letter] ?? letter) : String.fromCharCode(parseInt(code, 16)),
  );
}
