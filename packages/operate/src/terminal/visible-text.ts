/** Line ends stay, because text for people has lines. For a field of one line, use `inLine`. */
const LINE_END = String.raw`(?!\n|\r\n)`;

/** A picture that is shown. An unassigned one is written out, and nothing can join it then. */
const PICTURE = String.raw`(?!\p{C})\p{Extended_Pictographic}`;

/** The joiner and the selector of emoji stay inside an emoji. */
const EMOJI =
  String.raw`(?!(?<=${PICTURE}\ufe0f?|[\u{1f3fb}-\u{1f3ff}])\u200d(?=${PICTURE}))` +
  String.raw`(?!(?<=${PICTURE}|[\d#*])\ufe0f)`;

/**
 * Control and format characters, private use, unassigned characters, and everything that is drawn as nothing.
 */
const UNSEEN = String.raw`[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`;

/** Combining marks without a letter, or on top of four others. A screen draws them over other text. */
const OVERFLOW = String.raw`(?<![^\s\p{C}])\p{M}|(?<=\p{M}{4})\p{M}`;

const unseen = new RegExp(`${LINE_END}${EMOJI}(?:${UNSEEN}|${OVERFLOW})`, 'gu');

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
  return text
    .replaceAll('\t', TAB)
    .replace(unseen, (character) => mark(`\\u{${character.codePointAt(0)!.toString(16)}}`));
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
  return write(value, indent).replace(unseen, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
