import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '../fixtures/foreign-texts');
const read = (file: string) => JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8')) as unknown;

/** Files of JSONTestSuite: `y_` is JSON, `n_` is not, `i_` and `transform_` are for the reader to decide. */
export const jsonFiles: readonly (readonly [name: string, bytes: Buffer])[] = Object.entries(
  read('json-test-suite') as Record<string, string>,
).map(([name, text]) => [name, Buffer.from(text, 'base64')]);

/** What is within the files, as far as `JSON.parse` reads them. */
const parsed = jsonFiles.flatMap(([, bytes]) => {
  try {
    return stringsIn(JSON.parse(bytes.toString()));
  } catch {
    return [];
  }
});

const HALVES = [
  '\ud83d',
  '\ude00',
  '\ude00\ud83d',
  'a\ud800',
  '\udfffb',
  '\\\ud83d',
  '\\ud83d',
  '\\\\ud83d\ud83d',
];
const LINE_ENDS = [
  '\u0085',
  '\u2028',
  '\u2029',
  '\r\n\u2028',
  '\v\f\u001c\u001d\u001e',
  'data: x\n\ndata: y',
];

/** Texts that readers have failed at: those of others, and what this repository adds. */
export const texts: readonly string[] = [
  ...new Set([
    ...(read('naughty-strings') as string[]),
    ...(read('grapheme-breaks') as string[]),
    ...parsed,
    ...HALVES,
    ...LINE_ENDS,
    ...HALVES.flatMap((half) => LINE_ENDS.map((end) => half + end)),
  ]),
].filter((text) => text !== '');

/** Every name and text of a JSON value. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [
    ...(Array.isArray(value) ? [] : [key]),
    ...stringsIn(each),
  ]);
}

/** Texts of random parts: letters, halves, line ends, marks, quotes. The same seed gives the same texts. */
export function randomTexts(count: number, seed: number): string[] {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + next(6) }, () => {
      const text = texts[next(texts.length)]!;
      const from = next(text.length);
      // By index, so that pairs are cut.
      return next(4) === 0 ? String.fromCharCode(next(0x10000)) : text.slice(from, from + 1 + next(8));
    }).join(''),
  );
}
