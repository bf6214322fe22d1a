import { flagSequence, hiddenCharacters, showHiddenInJson } from '@toolwright/json';

/** Flags of regions are the only honest use of tag characters. */
const FLAG = new RegExp(flagSequence, 'gu');

/** Tag characters are a second ASCII that nobody sees. */
const TAGS = /[\u{E0020}-\u{E007E}]+/gu;

/** What a text hides: the words that are written in tag characters, or else the characters. `undefined`: nothing. */
export function hiddenIn(text: string): string | undefined {
  const rest = text.replace(FLAG, '');
  const found = hiddenCharacters(rest);
  if (found.length === 0) return undefined;
  const words = rest
    .match(TAGS)
    ?.map((run) =>
      String.fromCodePoint(...[...run.slice(0, 400)].map((each) => each.codePointAt(0)! - 0xe0000)),
    );
  return words ? `hidden text: ${words.join(' ')}` : `hidden characters: ${found.slice(0, 10).join(', ')}`;
}

/** JSON in which hidden characters are written out. It means the same. */
export const visibleJson = (value: unknown): string => showHiddenInJson(JSON.stringify(value, null, 2));
