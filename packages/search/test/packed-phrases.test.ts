import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packPhrases } from './support/pack-phrases.js';

const file = join(__dirname, '../src/everyday/packed-phrases.ts');

/** The module of the packed phrases, as Prettier leaves it. */
function moduleText(): string {
  const parts = Object.entries(packPhrases()).map(([name, text]) => `  ${name}:\n    '${text}',`);
  return [
    '// Made of phrases/*.txt: `UPDATE_PHRASES=1 npx jest packed-phrases` writes it.',
    "import type { PackedPhrases } from './phrase-codes.js';",
    '',
    'export const packedPhrases: PackedPhrases = {',
    ...parts,
    '};',
    '',
  ].join('\n');
}

test('The packed phrases are those of the texts', () => {
  const text = moduleText();
  if (process.env.UPDATE_PHRASES === '1') writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
});
