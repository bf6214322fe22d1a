import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { guideSections, versionMenu } from '../navigation.js';
import { sitePathOf, writtenPages } from '../build/guides.js';
import { LinkWriter } from '../build/links.js';
import { readingLine, withReadingLine } from '../build/reading.js';
import { root } from '../build/workspace.js';

const inTheMenu = Object.values(guideSections)
  .flat()
  .map((entry) => `${typeof entry === 'string' ? entry : entry[0]}.md`);

test('every guide stands in the menu, and only once', () => {
  const guides = writtenPages()
    .map(({ path }) => path)
    .filter((path) => !/^(adr\/\d|packages\/|apps\/|errors\.md$)/.test(path));
  const generated = ['benchmarks.md', 'changelog.md'];
  expect([...inTheMenu].sort()).toEqual([...guides, ...generated].sort());
});

test('the page that says which guide one needs has each of them', () => {
  const written = writtenPages();
  const which = written.find(({ path }) => path === 'guides.md')!.markdown;
  const linked = new Set(
    [...which.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => sitePathOf(`docs/${link}`)),
  );
  const withOwnList = /^runbook\/./;
  const listed = inTheMenu.filter((path) => path !== 'guides.md' && !withOwnList.test(path));
  const guides = written.filter(({ path }) => listed.includes(path) && path !== 'security-policy.md');
  expect(guides.map(({ path }) => path).filter((path) => !linked.has(path))).toEqual([]);
});

test('every guide says its time, what to read before, and what comes next', () => {
  const links = new LinkWriter();
  const pages = writtenPages().map((page) => links.rewrite(page));
  const which = pages.find(({ path }) => path === 'guides.md')!;
  const { 'The project': _about, Runbook: _alarms, ...sections } = guideSections;
  const guides = Object.values(sections)
    .flat()
    .map((entry) => `${typeof entry === 'string' ? entry : entry[0]}.md`)
    .filter((path) => !['guides.md', 'benchmarks.md'].includes(path));
  const lines = guides.map((path) => {
    const guide = pages.find((page) => page.path === path)!;
    return `${path}: ${readingLine.exec(withReadingLine(guide, which).markdown)?.[0] ?? 'no line'}`;
  });
  const link = String.raw`\[[^\]]+\]\(/\S+\.md\)`;
  const whole = new RegExp(
    `_About \\d+ minutes?\\. Read before: (${link}|nothing)\\. Next: ${link}(, ${link})*\\._$`,
  );
  expect(lines.filter((line) => !whole.test(line))).toEqual([]);
  expect(lines.filter((line) => line.includes('nothing'))).toEqual([
    expect.stringMatching(/^getting-started\.md: .* Next: \[The tutorial\]/),
  ]);
});

test('every guide gives a server its stores as a list', () => {
  const scaffolds = new Map(
    ['src/app-files.ts', 'templates/base/src/create-server.ts'].map((file) => [
      file,
      readFileSync(join(root, 'packages/create-toolwright', file), 'utf8'),
    ]),
  );
  const guides = writtenPages().filter(({ path }) => !/^(adr\/\d|stores\.md)/.test(path));
  const texts = [...guides.map(({ path, markdown }) => [path, markdown] as const), ...scaffolds];
  const others = texts.flatMap(([path, text]) =>
    [...text.matchAll(/^.*(?:\bstores(?:: (?!\[|ServerStores|PostgresStores)|,$| \}\);)).*$/gm)].map(
      ([line]) => `${path}: ${line.trim()}`,
    ),
  );
  expect(others).toEqual([]);
});

// A reader who hears a table is told the name of the column with each cell. `pnpm proof` asks axe-core about all guides.
test('each column of a table has a name', () => {
  const guides = writtenPages().filter(({ path }) => !/^adr\/\d/.test(path));
  const nameless = guides.flatMap(({ path, markdown }) =>
    [...markdown.matchAll(/^(\|.*\|)\n\| *:?-+/gm)]
      .map(([, head]) => head!)
      .filter((head) => /\|\s*\|/.test(head))
      .map((head) => `${path}: ${head}`),
  );
  expect(nameless).toEqual([]);
});

describe('the menu of versions', () => {
  const published = '0.1=https://docs.example.com/0.1/ next=https://docs.example.com/next/';

  test('names this site, and leads to the others that are published', () => {
    expect(versionMenu('next', published)).toMatchObject({
      text: 'next',
      items: [
        {
          text: 'Versions',
          items: [
            { text: 'next (this site)', link: '/' },
            { text: '0.1', link: 'https://docs.example.com/0.1/' },
          ],
        },
        { items: [{ link: '/changelog' }, { link: '/upgrading' }] },
      ],
    });
  });

  test('a setting that cannot be read is told', () => {
    expect(() => versionMenu('next', '0.1')).toThrow('SITE_VERSIONS has "0.1"');
  });
});
