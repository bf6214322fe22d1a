import { hiddenCharacters, showHiddenInJson, wordsInTags } from '@toolwright/json';

/** What a text hides: the words that are written in tag characters, or else the characters. `undefined`: nothing. */
export function hiddenIn(text: string): string | undefined {
  const found = hiddenCharacters(text);
  if (found.length === 0) return undefined;
  const words = wordsInTags(text);
  return words.length > 0
    ? `hidden text: ${words.join(' ')}`
    : `hidden characters: ${found.slice(0, 10).join(', ')}`;
}

/** JSON in which hidden characters are written out. It means the same. */
export const visibleJson = (value: unknown): string => showHiddenInJson(JSON.stringify(value, null, 2));
