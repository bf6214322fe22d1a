/**
 * The flag of a region, such as that of Scotland: a black flag, the tag characters of the region's code, and
 * a final tag (Unicode Technical Standard 51, emoji tag sequences). People use tag characters for nothing
 * else. Longer runs of them only hide text.
 */
export const flagSequence =
  /\u{1F3F4}[\u{E0061}-\u{E007A}]{2}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,4}\u{E007F}/u.source;

/** Scripts in which the zero-width joiner and non-joiner connect or separate letters. */
const joiningScripts = [
  ...['Arabic', 'Syriac', 'Mandaic', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati'],
  ...['Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
];
const joinable = `${joiningScripts.map((script) => `\\p{Script=${script}}`).join('')}`;
const emoji = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}';

/**
 * The one definition of what hides in a text of others. Where text is data that somebody must get exactly, `cleanText` leaves
 * more of it alone.
 *
 * Characters that a model reads but a reviewer does not see: control characters other than line breaks and
 * tabs, zero-width characters, direction changes, tags, private use. Three kinds are allowed where people use
 * them: joiners in emoji and in the scripts above, the selectors that colour an emoji, and the tags of a
 * flag.
 */
const hidden = [
  '[\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5]',
  '[\\u180B-\\u180F\\u200B\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u3164\\uFEFF\\uFFA0\\uFFF0-\\uFFFB]',
  '[\\uE000-\\uF8FF\\u{1BCA0}-\\u{1BCA3}\\u{1D173}-\\u{1D17A}\\u{E0000}-\\u{E0FFF}\\u{F0000}-\\u{10FFFF}]',
  `(?<![${joinable}])\\u200C`,
  `(?<![${joinable}])(?!(?<=[${emoji}]\\uFE0F?)\\u200D\\p{Extended_Pictographic})\\u200D`,
  '[\\uFE00-\\uFE0D]|(?<!\\p{Emoji})[\\uFE0E\\uFE0F]',
].join('|');

/** Combining marks without a letter, or on top of four others, as the source of a pattern. They are drawn over other text. */
export const PILED_MARKS = String.raw`(?<![^\s\p{Cc}])\p{M}|(?<=\p{M}{4})\p{M}`;

/** Half of a surrogate pair is written out, too. Nobody looks for it: it is mended where texts are published. */
const hiddenOrFlag = new RegExp(`${flagSequence}|(?<hidden>${hidden})|(?<half>\\p{Cs})`, 'gu');

/** Nearly every text contains only these characters, and this check is faster. */
const plain = /^[\t\n -~]*$/;

/** Writes each hidden character in another way. It returns the same text when there is none. */
export function replaceHidden(text: string, write: (character: string) => string): string {
  if (plain.test(text)) return text;
  return text.replace(hiddenOrFlag, (match, found?: string, half?: string) => {
    const written = found ?? half;
    return written === undefined ? match : write(written);
  });
}

/** A text with this number of hidden characters has them on purpose, and nobody reads a list of more. */
const MOST_FOUND = 1_000;

/** The hidden characters of a text, each once, in the form `U+200B`. */
export function hiddenCharacters(text: string): string[] {
  if (plain.test(text)) return [];
  const found = new Set<string>();
  let left = MOST_FOUND;
  for (const { groups } of text.matchAll(hiddenOrFlag)) {
    const { hidden: character } = groups ?? {};
    if (character === undefined) continue;
    found.add(character);
    if (--left === 0) break;
  }
  return [...found].map((character) => `U+${hexOf(character).toUpperCase().padStart(4, '0')}`);
}

/** A text in which nothing hides: hidden characters are written as `\u{200b}`. Line ends and tabs stay. */
export const showHidden = (text: string): string =>
  replaceHidden(text, (character) => `\\u{${hexOf(character)}}`);

/** A text in which nothing hides, and which has one line. */
export const showHiddenInLine = (text: string): string =>
  showHidden(text).replace(/[\n\r\t]/g, (character) => `\\u{${hexOf(character)}}`);

/** JSON in which nothing hides. It means the same. */
export const showHiddenInJson = (json: string): string =>
  replaceHidden(json, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );

const hexOf = (character: string): string => character.codePointAt(0)!.toString(16);
