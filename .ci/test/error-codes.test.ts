import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const code = /\bTW_[A-Z0-9_]*[A-Z0-9]\b/g;

/** Every code written in the packages' sources: catalogues and places that throw alike. */
function codesInSources(): string[] {
  const files = readdirSync(join(root, 'packages')).flatMap((name) =>
    sources(join(root, 'packages', name, 'src')),
  );
  return unique(files.flatMap((file) => readFileSync(file, 'utf8').match(code) ?? []));
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(folder, name));
}

/** Codes that the page explains: each has a row or a heading of its own. */
function codesInDocs(): string[] {
  const page = readFileSync(join(root, 'docs/errors.md'), 'utf8');
  const explained = page.split('\n').filter((line) => /^(\||#)/.test(line));
  return unique(explained.flatMap((line) => line.match(code)?.slice(0, 1) ?? []));
}

const unique = (codes: string[]) => [...new Set(codes)].sort();

test('docs/errors.md explains exactly the codes that the packages use', () => {
  expect(codesInDocs()).toEqual(codesInSources());
});
