/**
 * The flag of a region, such as that of Scotland: a black flag, the tag characters of the region's code, and
 * a final tag (Unicode Technical Standard 51, emoji tag sequences). People use tag characters for nothing
 * else. Longer runs of them only hide text.
 */
export const flagSequence =
  /\u{1F3F4}[\u{E0061}-\u{E007A}]{2}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,4}\u{E007F}/u.source;

/** Parts of the definition below that others look for alone, each as a part of a class of a pattern. */
export const sets = {
  /** The beginnings of a sequence that controls a terminal, with 7 and with 8 bits (ECMA-48). */
  terminal: '\\u001B\\u0090\\u0098\\u009B\\u009D-\\u009F',
  /** Changes of direction, and their ends. */
  direction: '\\u202A-\\u202E\\u2066-\\u2069',
  /** Tags, selectors of variants, and what is free beside them: nobody sees any of it. */
  tags: '\\u{E0000}-\\u{E0FFF}',
  /** The high surrogates of the tags, for patterns without the flag `u`, which read each surrogate alone. */
  tagHalves: '\\uDB40-\\uDB43',
} as const;

/** Scripts in which the zero-width joiner and non-joiner connect or separate letters. */
const joiningScripts = [
  'Arabic',
  'Syriac',
  'Mandaic',
  'Mongolian',
  'Nko',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Khmer',
  'Myanmar',
  'Tibetan',
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
  `[${[
    '\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5',
    `\\u180B-\\u180F\\u200B\\u200E\\u200F\\u2028\\u2029${sets.direction}\\u2060-\\u206F\\u3164\\uFEFF\\uFFA0\\uFFF0-\\uFFFB`,
    `\\uE000-\\uF8FF\\u{1BCA0}-\\u{1BCA3}\\u{1D173}-\\u{1D17A}${sets.tags}\\u{F0000}-\\u{10FFFF}`,
  ].join('')}]+`,
  `(?:${[
    `(?<![${joinable}])\\u200C`,
    `(?<![${joinable}])(?!(?<=[${emoji}]\\uFE0F?)\\u200D\\p{Extended_Pictographic})\\u200D`,
    '[\\uFE00-\\uFE0D]|(?<!\\p{Emoji})[\\uFE0E\\uFE0F]',
    // After one of these, each of them is hidden. A long text may have nothing else.
  ].join('|')})(?:[\\u200C\\uFE00-\\uFE0F]|\\u200D(?!\\p{Extended_Pictographic}))*`,
].join('|');

/**
 * What only a screen shows as something else: a return to the beginning of the line, halves of characters, characters that
 * nobody has assigned, and combining marks without a letter or on top of four others, which are drawn over other text.
 */
const onlyOnScreen = new RegExp(
  String.raw`(\r(?!\n)|[\p{Cs}\p{Cn}]|(?<![^\s\p{Cc}])\p{M}|(?<=\p{M}{4})\p{M})`,
  'u',
);

/** Half of a surrogate pair is written out, too. Nobody looks for it: it is mended where texts are published. */
const hiddenOrFlag = new RegExp(`${flagSequence}|(${hidden})|(\\p{Cs}+)`, 'gu');

/** Nearly every text contains only these characters, and this check is faster. */
const plain = /^[\t\n -~]*$/;

/**
 * Writes each hidden character in another way. It returns the same text when there is none.
 *
 * @param write is asked once for each character that occurs
 */
export function replaceHidden(text: string, write: (character: string) => string): string {
  if (plain.test(text)) return text;
  // Most texts have few hidden characters, each many times.
  const known = new Map<string, string>();
  return text.replace(hiddenOrFlag, (match, found?: string, half?: string) => {
    const run = found ?? half;
    return run === undefined ? match : (known.get(run) ?? writeEach(run, known, write));
  });
}

/** Writes each character of a run. */
function writeEach(run: string, known: Map<string, string>, write: (character: string) => string): string {
  let all = '';
  for (const character of run) {
    let written = known.get(character);
    if (written === undefined) known.set(character, (written = write(character)));
    all += written;
  }
  return all;
}

/** The same for what a screen shows as something else, too. Nothing joins the parts before and after it. */
export function replaceUnshown(text: string, write: (character: string) => string): string {
  if (plain.test(text)) return text;
  return text
    .split(onlyOnScreen)
    .map((part, at) => (at % 2 === 0 ? replaceHidden(part, write) : write(part)))
    .join('');
}

const TAB = '    ';

/**
 * Text that is safe to show. Everything that would control a screen, be invisible or appear at another place
 * is written out, as `\u{1b}`. Otherwise a server could move the cursor, change the question that it asks, or
 * hide a part of it.
 *
 * @param mark changes what was written out, for example to colour it
 */
export function visible(text: string, mark: (escaped: string) => string = (escaped) => escaped): string {
  return replaceUnshown(text.replaceAll('\t', TAB), (character) => mark(writeHidden(character)));
}

/** A text with this number of hidden characters has them on purpose, and nobody reads a list of more. */
const MOST_FOUND = 1_000;

/** The hidden characters of a text, each once, in the form `U+200B`. */
export function hiddenCharacters(text: string): string[] {
  if (plain.test(text)) return [];
  const found = new Set<string>();
  let left = MOST_FOUND;
  for (const [, run = ''] of text.matchAll(hiddenOrFlag)) {
    for (const character of run) {
      if (left-- === 0) break;
      found.add(character);
    }
    if (left < 0) break;
  }
  return [...found].map((character) => `U+${hexOf(character).toUpperCase().padStart(4, '0')}`);
}

/** Nobody sees any of these: spaces of all kinds, and the blank of Braille, which counts as a letter. */
const blank = /^[\s\p{Z}\u2800]*$/u;

/** True for a text that shows nothing. What hides in it is shown, once it is written out. */
export const isBlank = (text: string): boolean => blank.test(text);

/** Tag characters are a second ASCII that nobody sees. */
const tagWords = /[\u{E0020}-\u{E007E}]+/gu;
const flag = new RegExp(flagSequence, 'gu');

/** UTF-16 units of words in tags: whoever reads more of them knows enough. */
const LONGEST_WORDS = 400;

/** The words that a text has in tag characters, apart from flags. */
export const wordsInTags = (text: string): string[] =>
  (text.replace(flag, '').match(tagWords) ?? []).map((run) =>
    run.slice(0, LONGEST_WORDS).replace(/./gsu, (tag) => String.fromCodePoint(tag.codePointAt(0)! - 0xe0000)),
  );

/** A hidden character as it is shown: `\u{200b}`. */
export const writeHidden = (character: string): string => `\\u{${hexOf(character)}}`;

/** A hidden character as JSON has it, and literals of TypeScript: `\u200b`. */
export const writeHiddenInJson = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** A text in which nothing hides: hidden characters are written as `\u{200b}`. Line ends and tabs stay. */
export const showHidden = (text: string): string => replaceHidden(text, writeHidden);

/** A text in which nothing hides, and which has one line. */
export const showHiddenInLine = (text: string): string => showHidden(text).replace(/[\n\r\t]/g, writeHidden);

/** JSON in which nothing hides. It means the same. */
export const showHiddenInJson = (json: string): string => replaceHidden(json, writeHiddenInJson);

const hexOf = (character: string): string => character.codePointAt(0)!.toString(16);
