import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const testFiles = execFileSync('git', ['ls-files', '*.test.ts'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n');

/** The test files that `pnpm proof` runs. */
const proven = new Set(
  [...read('apps/proof/run.mjs').matchAll(/'([\w./-]+\.test\.ts)'/g)].map(([, file]) => file!),
);

/** A test file that tries only a sample in `pnpm check:all`. */
const samples =
  /import \{[^}]*\b(sampleOf|size|runs)\b[^}]*\} from '[^']*support\/proof\.js'|\bschemes\b[^}]*\} from '[^']*console-under-test\.js'/;

test('each file that tries a sample is tried whole by a proof', () => {
  const sampled = testFiles.filter((file) => samples.test(read(file)));
  expect(sampled.length).toBeGreaterThan(15);
  expect(sampled.filter((file) => !proven.has(file))).toEqual([]);
});

test('each file that no tier runs belongs to a proof', () => {
  const [, table] = /const atLength = \[([^]*?)\n\];/.exec(read('jest.config.ts'))!;
  const patterns = [...table!.matchAll(/'([^']+)'/g)].flatMap(([, pattern]) => expand(pattern!));
  expect(patterns.length).toBeGreaterThan(5);
  expect(patterns.filter((file) => !proven.has(file))).toEqual([]);
});

test('each file of a proof exists', () => {
  expect(proven.size).toBeGreaterThan(30);
  expect([...proven].filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test('no test looks in vain for digits that a random id, a port or a time may have', () => {
  const digits = /\.not\.toContain\(['"`]\d{1,6}['"`]\)/;
  expect(testFiles.filter((file) => digits.test(read(file)))).toEqual([]);
});

test('the guide of code mode has the tokens that its proof has counted', () => {
  const { figures } = (
    JSON.parse(read('docs/proofs.json')) as { programs: { figures: Record<string, number> } }
  ).programs;
  const [, section = ''] = read('docs/code-mode.md').split('## What it saves\n');
  const rows = [
    ...section.split('\n## ')[0]!.matchAll(/^\| (.+?) +\| ([\d,]+) +\| ([\d,]+) +\| ([\d,]+) +\| \d/gm),
  ];
  const shown = rows.map(([, job, ...tokens]) => [
    job,
    ...tokens.map((each) => Number(each!.replaceAll(',', ''))),
  ]);
  const counted = Object.keys(figures).flatMap((figure) => {
    const [, where, job] = /^(APIs|desk), (.+), code: tokens$/.exec(figure) ?? [];
    if (where === undefined) return [];
    return [[job, ...['list', 'search', 'code'].map((way) => figures[`${where}, ${job!}, ${way}: tokens`])]];
  });
  expect(shown.length).toBeGreaterThanOrEqual(14);
  expect(shown).toEqual(counted);
});

/** `a/{b,c}.test.ts` as two files. */
function expand(pattern: string): string[] {
  const [whole, names] = /\{([^}]+)\}/.exec(pattern) ?? [];
  return names === undefined ? [pattern] : names.split(',').map((name) => pattern.replace(whole!, name));
}
