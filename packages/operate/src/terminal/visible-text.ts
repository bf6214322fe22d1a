import { PILED_MARKS, replaceHidden } from '@toolwright/json';

/**
 * What only a screen shows as something else, beside what hides in every text: a return to the beginning of the line, halves of
 * characters, and characters that nobody has assigned. Line ends stay, because text for people has lines. For a field of one
 * line, use `inLine`.
 */
const unshown = new RegExp(String.raw`(\r(?!\n)|[\p{Cs}\p{Cn}]|${PILED_MARKS})`, 'u');

type Write = (character: string) => string;

/** Writes what a screen would not show. Nothing joins the parts before and after it. */
function rewrite(text: string, write: Write): string {
  return text
    .split(unshown)
    .map((part, at) => (at % 2 === 0 ? replaceHidden(part, write) : write(part)))
    .join('');
}

/** Nearly all text contains only these characters, and this check is faster. */
const plain = /^[\n -~]*$/;

const TAB = '    ';

/**
 * Text that is safe to show. Everything that would control a screen, be invisible or appear at another place
 * is written out, as `\u{1b}`. Otherwise a server could move the cursor, change the question that it asks, or
 * hide a part of it.
 *
 * @param mark changes what was written out, for example to colour it
 */
export function visible(text: string, mark: (escaped: string) => string = (escaped) => escaped): string {
  if (plain.test(text)) return text;
  return rewrite(text.replaceAll('\t', TAB), (character) =>
    mark(`\\u{${character.codePointAt(0)!.toString(16)}}`),
  );
}

/** The same for a field of one line, which cannot start a new line. */
export function inLine(text: string): string {
  return visible(text).replace(/\r?\n/g, '\\u{a}');
}

/**
 * JSON without invisible characters. A program reads the exact value from it, and it is also a literal of
 * TypeScript.
 *
 * @param write another writer of JSON, such as one that keeps all digits of integers
 */
export function visibleJson(
  value: unknown,
  indent = 2,
  write: (value: unknown, indent: number) => string = (each, by) => JSON.stringify(each, null, by),
): string {
  return rewrite(write(value, indent), (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
