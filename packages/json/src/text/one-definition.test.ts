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
