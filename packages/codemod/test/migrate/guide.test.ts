import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from './migrate-source.js';

const page = readFileSync(join(__dirname, '../../../../docs/coming-from-the-sdk.md'), 'utf8');

/** A block of the guide that has a file name. */
const block = (file: string): string => new RegExp(`\`\`\`ts file=${file}\n([^]*?)\`\`\``).exec(page)![1]!;

/** The code without its line breaks and margins, because a formatter decides about them on the page. */
const compact = (code: string): string =>
  code
    .replace(/\s+/g, ' ')
    .replace(/,? ([}\])])/g, '$1')
    .replace(/([{[(]) /g, '$1');

test('the guide shows what the command writes', () => {
  const { text, notes } = migrate('export {};', { 'src/theirs.ts': block('theirs.ts') });
  expect(notes).toEqual([]);
  expect(compact(text('src/theirs.ts'))).toBe(compact(block('ours.ts')));
});
