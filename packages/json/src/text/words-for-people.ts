import { cutText } from './cut-text.js';
import { showHiddenInJson, showHiddenInLine, visible } from './hidden-characters.js';

/** The most characters of one value that a question shows. */
const MOST_OF_VALUE = 300;

/** The most characters of all values together, as JSON. */
const MOST_OF_VALUES = 1_200;

/** The most characters of the words of a question: what comes before the cut, and what comes after it. */
const MOST_OF_WORDS = { start: 6_000, end: 1_000 };

/** Words with more values that would change them are shown as one line. */
const MOST_CHANGING = 200;

/** Where lines end, for people and for programs. */
const lineEnd = /[\n\r\u0085\u2028\u2029]/;

/**
 * The words of an author, as a person may see them who decides. They may have values of a caller in them: such a value cannot
 * begin a line of its own, so it never looks like another question, and a long one does not push the rest out of sight. What
 * nobody would see is written out.
 *
 * @param values what the words may repeat, at any depth
 */
export function showWords(words: string, values: unknown): string {
  const changing = changingTexts(values);
  if (changing.size > MOST_CHANGING) return visible(showHiddenInLine(cutWords(words)));
  let shown = words;
  // A value may be a part of another one.
  for (const text of [...changing].sort((one, other) => other.length - one.length))
    shown = shown.replaceAll(text, () => showHiddenInLine(shortValue(text)));
  return visible(cutWords(shown.replaceAll('\r\n', '\n')));
}

/** The values of a call in one line of JSON. Each of them is shown, and each long one only as far as a person reads it. */
export function showValues(values: unknown): string {
  const json = JSON.stringify(values, (_key, value: unknown) =>
    typeof value === 'string' ? shortValue(value) : value,
  );
  return visible(showHiddenInJson(cutMarked(json, MOST_OF_VALUES)));
}

/** The texts that need another form in a question. The words of an author may leave out the blanks around them. */
function changingTexts(values: unknown): Set<string> {
  const found = new Set<string>();
  const look = (text: string) => {
    if (text.length <= MOST_OF_VALUE && !lineEnd.test(text)) return;
    found.add(text);
    const trimmed = text.trim();
    if (trimmed.length > MOST_OF_VALUE || lineEnd.test(trimmed)) found.add(trimmed);
  };
  const visit = (value: unknown): void => {
    if (found.size > MOST_CHANGING) return;
    if (typeof value === 'string') return look(value);
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) Object.keys(value).forEach(look);
    Object.values(value).forEach(visit);
  };
  visit(values);
  // It is in all words, and means nothing.
  for (const text of found) if (text.trim() === '') found.delete(text);
  return found;
}

const shortValue = (text: string): string => cutMarked(text, MOST_OF_VALUE);

function cutMarked(text: string, most: number): string {
  return text.length <= most ? text : `${cutText(text, most)}… (${text.length} characters)`;
}

/** The end is kept: it may say what happens. */
function cutWords(words: string): string {
  const { start, end } = MOST_OF_WORDS;
  if (words.length <= start + end) return words;
  return `${cutText(words, start)}… (${words.length} characters) …${words.slice(-end)}`;
}
