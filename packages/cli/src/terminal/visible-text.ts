/** Line ends stay: text for people has lines. Whoever prints a field of one line calls `inLine`. */
const LINE_END = String.raw`(?!\n|\r\n)`;

/** The joiner and the selector of emoji stay where they belong to one. */
const EMOJI =
  String.raw`(?!(?<=\p{Extended_Pictographic}\ufe0f?|[\u{1f3fb}-\u{1f3ff}])\u200d(?=\p{Extended_Pictographic}))` +
  String.raw`(?!(?<=[\p{Extended_Pictographic}\d#*])\ufe0f)`;

/** Controls, format characters, private use, what is not assigned, and all that is drawn as nothing. */
const UNSEEN = String.raw`[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`;

/** Marks that have no letter to stand on, or stand on four others: they are drawn over something else. */
const OVERFLOW = String.raw`(?<![^\s\p{C}])\p{M}|(?<=\p{M}{4})\p{M}`;

const unseen = new RegExp(`${LINE_END}${EMOJI}(?:${UNSEEN}|${OVERFLOW})`, 'gu');

/** Nearly all text is of these alone, which is sooner seen. */
const plain = /^[\n -~]*$/;

const TAB = '    ';

/**
 * Text as people may get it: all that a screen would obey, not show, or show elsewhere is written out, as `\u{1b}`.
 * A server could otherwise move the cursor, rewrite the question that it asks, or hide a part of it.
 *
 * @param mark what is done with what was written out, for example to colour it
 */
export function visible(text: string, mark: (escaped: string) => string = (escaped) => escaped): string {
  if (plain.test(text)) return text;
  return text
    .replaceAll('\t', TAB)
    .replace(unseen, (character) => mark(`\\u{${character.codePointAt(0)!.toString(16)}}`));
}

/** The same for a field of one line, which cannot begin a line of its own. */
export function inLine(text: string): string {
  return visible(text).replace(/\r?\n/g, '\\u{a}');
}

/** JSON that holds nothing unseen. What a program reads from it is exact, and it is a literal of TypeScript, too. */
export function visibleJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replace(unseen, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
