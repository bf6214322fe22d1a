import { hasDoubledNames } from './doubled-names.js';
import { replaceStrings } from './json-strings.js';

/**
 * How `JSON.stringify` begins the escape of half a surrogate pair. It writes whole pairs as they are, so a text without
 * this is well formed.
 */
export const ESCAPED_HALF = '\\ud';

/** What replaces a half that is alone, as in UTF-8. */
const REPLACEMENT = '\ufffd';

/** An escape with the backslashes before it. When two belong to a pair, both are matched. */
const ESCAPES = /(?<!\\)(\\+)(ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|ud[89a-f][0-9a-f]{2})/g;
const LENGTH_OF_ESCAPE = 5;

/**
 * JSON text whose strings are well-formed Unicode. `JSON.stringify` writes half a surrogate pair as an escape, and strict
 * readers, such as those of Python and Rust, then refuse the whole message. A text without one is the same text. Where two
 * names of an object would become the same one, a half in a name is the text of its escape: a reader would lose a member.
 *
 * @param json what `JSON.stringify` has written
 */
export function wellFormedJson(json: string): string {
  if (!json.includes(ESCAPED_HALF)) return json;
  const text = replaceHalves(json, () => REPLACEMENT);
  if (text === json || !hasDoubledNames(text)) return text;
  const named = replaceStrings(json, (string, isName) =>
    isName ? replaceHalves(string, (escape) => `\\\\${escape}`) : string,
  );
  return replaceHalves(named, () => REPLACEMENT);
}

/** @param make what is in place of a half: `ud83d` */
function replaceHalves(json: string, make: (escape: string) => string): string {
  return json.replace(ESCAPES, (whole, slashes: string, escape: string) => {
    const isPair = escape.length > LENGTH_OF_ESCAPE;
    if (slashes.length % 2 === 1) return isPair ? whole : slashes.slice(1) + make(escape);
    // Backslashes in pairs are text, and so is what follows them. The second escape is then alone.
    return isPair
      ? slashes + escape.slice(0, LENGTH_OF_ESCAPE) + make(escape.slice(LENGTH_OF_ESCAPE + 1))
      : whole;
  });
}

/** Node.js has these methods of ES2024. */
type Checked = string & { isWellFormed(): boolean; toWellFormed(): string };

/** True when no half of a surrogate pair is alone. */
export function isWellFormed(text: string): boolean {
  return (text as Checked).isWellFormed();
}

/** The text with a replacement character for each half of a surrogate pair that is alone. */
export function wellFormed(text: string): string {
  return (text as Checked).toWellFormed();
}
