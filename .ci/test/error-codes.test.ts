import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anchorOf } from '../../docs/.vitepress/build/anchor.js';
import { allHelp } from '../../docs/.vitepress/build/error-help.js';
import { errorRows, places } from '../../docs/.vitepress/build/errors.js';

const root = join(__dirname, '../..');
const code = /\bTW_[A-Z0-9_]*[A-Z0-9]\b/g;

/** Every code written in the packages' sources: catalogues and places that throw alike. */
function codesInSources(): string[] {
  const files = readdirSync(join(root, 'packages')).flatMap((name) =>
    sources(join(root, 'packages', name, 'src')),
  );
  return unique(files.flatMap((file) => readFileSync(file, 'utf8').match(code) ?? []));
}

/** Without a folder of sources, a package passes another one on. */
function sources(folder: string): string[] {
  if (!existsSync(folder)) return [];
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

test('the site can say where the codes of each section appear', () => {
  const sections = errorRows(readFileSync(join(root, 'docs/errors.md'), 'utf8')).map(
    ({ section }) => section,
  );
  expect([...new Set(sections)].sort()).toEqual(Object.keys(places).sort());
});

test('each code has a cause, a remedy, an example and a guide, and nothing else has', () => {
  expect([...allHelp().keys()].sort()).toEqual(codesInDocs());
});

test('the guide of each code is there, with the heading that its link names', () => {
  const dead = [...allHelp()]
    .map(([code, { guide }]) => ({ code, link: guide.link }))
    .filter(({ link }) => {
      const [path, anchor] = `docs/${link}`.split('#') as [string, string?];
      if (!existsSync(join(root, path))) return true;
      const headings = readFileSync(join(root, path), 'utf8').matchAll(/^#+ (.+)$/gm);
      return anchor !== undefined && ![...headings].some(([, heading]) => anchorOf(heading!) === anchor);
    });
  expect(dead).toEqual([]);
});
