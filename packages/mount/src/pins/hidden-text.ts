/** Flags of regions are the only honest use of tag characters. */
const FLAG = /\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}/gu;

/** Characters that a model reads and a person does not see. Line ends, and what joins emoji, do not count. */
const HIDDEN =
  // eslint-disable-next-line no-misleading-character-class -- what joins emoji is named on purpose
  /(?![\n\r\t\ufe0f]|(?<=\p{Extended_Pictographic}\ufe0f?|[\u{1f3fb}-\u{1f3ff}])\u200d)[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Tag characters are a second ASCII that nobody sees. */
const TAGS = /[\u{E0020}-\u{E007E}]+/gu;

/** What a text hides: the words that are written in tag characters, or else the characters. `undefined`: nothing. */
export function hiddenIn(text: string): string | undefined {
  const rest = text.replace(FLAG, '');
  const found = rest.match(HIDDEN);
  if (!found) return undefined;
  const words = rest
    .match(TAGS)
    ?.map((run) =>
      String.fromCodePoint(...[...run.slice(0, 400)].map((each) => each.codePointAt(0)! - 0xe0000)),
    );
  return words ? `hidden text: ${words.join(' ')}` : `hidden characters: ${names(found)}`;
}

/** Text in which hidden characters are written out, as `\u{200b}`. */
export function showHidden(text: string): string {
  return text.replace(HIDDEN, (each) => `\\u{${each.codePointAt(0)!.toString(16)}}`);
}

/** JSON in which hidden characters are written out. It means the same. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(HIDDEN, (each) =>
    [...Array(each.length).keys()]
      .map((index) => `\\u${each.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

function names(characters: readonly string[]): string {
  const codes = [...new Set(characters)].map((each) => each.codePointAt(0)!.toString(16).toUpperCase());
  return codes
    .slice(0, 10)
    .map((code) => `U+${code.padStart(4, '0')}`)
    .join(', ');
}
