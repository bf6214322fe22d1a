import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanText } from './clean-text.js';
import { hiddenCharacters, replaceHidden, replaceUnshown, showHidden } from './hidden-characters.js';

/** The planes that have characters, and the beginning of those for private use, apart from halves of pairs. */
function* characters(): Generator<string> {
  for (const [first, last] of [
    [0, 0xd7ff],
    [0xe000, 0x1_ffff],
    [0xe_0000, 0xe_1fff],
    [0xf_0000, 0xf_00ff],
  ] as const)
    for (let code = first; code <= last; code++) yield String.fromCodePoint(code);
}

test('what is cleaned in results, and what a screen does not show, is what the definition says or more exact', () => {
  const differences: string[] = [];
  for (const character of characters()) {
    const hides = hiddenCharacters(character).length > 0;
    if (cleanText(character, 'drop') !== character && !hides) differences.push(`cleaned ${character}`);
    if (hides !== (showHidden(character) !== character)) differences.push(`found ${character}`);
    const [shown, screen] = [replaceHidden(character, () => ''), replaceUnshown(character, () => '')];
    if (shown === '' && screen !== '') differences.push(`on a screen ${character}`);
  }
  expect(differences).toEqual([]);
});

const packages = join(__dirname, '../../..');
const sources = readdirSync(packages).flatMap((name) =>
  ['src', 'web'].flatMap((part) => {
    const folder = join(packages, name, part);
    try {
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(?:m?[jt]sx?|vue)$/.test(file) && !/\.test\.tsx?$/.test(file))
        .map((file) => join(folder, file));
    } catch {
      return [];
    }
  }),
);

/** A character that hides, or a property of such characters, in a class of a regular expression. */
const NAMED =
  /\[[^\]\n]*\\u\{?(?:00ad|200[b-f]|202[a-e]|206[0-9a-f]|fe0[0-9a-d]|e00[0-9a-f]{2}|e01[0-9a-f]{2}|180[b-f])|\\p\{(?:C|Cf|Co|Cn|Default_Ignorable_Code_Point|Bidi_Control)\}/i;

test('no other file has a table of characters that hide', () => {
  expect(sources.length).toBeGreaterThan(1_500);
  const tables = sources.filter((file) => NAMED.test(readFileSync(file, 'utf8')));
  expect(tables.map((file) => file.slice(packages.length + 1)).sort()).toEqual([
    'json/src/text/clean-text.ts',
    'json/src/text/hidden-characters.ts',
  ]);
});
