import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { temporaryFolder } from './support/temporary-folder.js';
import { publishedPackages } from './support/packages.js';

const { guidesOf, notPacked } = jest.requireActual<{
  guidesOf: Record<string, string[]>;
  notPacked: string[];
}>('../guides.mjs');

const root = join(__dirname, '../..');
const script = '.ci/package-docs.mjs';

/** What `node_modules` has of our guides when every package is installed. */
const folder = temporaryFolder();
beforeAll(() => execFileSync('node', [join(root, script), folder]));

const read = (path: string) => readFileSync(join(folder, path), 'utf8');

const filesBelow = (place: string) =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(place.length + 1));

const written = () => filesBelow(folder).filter((path) => path.endsWith('.md'));
const proseOf = (markdown: string) => markdown.replace(/^\s*```[\s\S]*?^\s*```\s*$/gm, '');
const nameOf = (owner: string) => publishedPackages.get(owner)!.name;

test('what is installed carries the guides about it', () => {
  expect(written()).toEqual(
    expect.arrayContaining([
      '@toolwright/core/docs/getting-started.md',
      '@toolwright/core/docs/recipes/databases.md',
      '@toolwright/http/docs/authorization.md',
      '@toolwright/identity/docs/approvals.md',
      '@toolwright/operate/docs/runbook/README.md',
      'create-toolwright/docs/scaffolding.md',
    ]),
  );
  expect(written().filter((path) => path.endsWith('/contributing.md'))).toEqual([]);
});

test('every page of docs is in one package, or is for those who work on the repository', () => {
  const pages = filesBelow(join(root, 'docs')).filter(
    (page) => page.endsWith('.md') && !/^(?:adr|\.vitepress|node_modules|dist)\//.test(page),
  );
  expect(pages.length).toBeGreaterThan(90);
  expect([...notPacked, ...Object.values(guidesOf).flat()].sort()).toEqual(pages.sort());
});

describe('in a copy of the repository', () => {
  const copy = temporaryFolder();
  beforeAll(() => {
    for (const file of ['guides.mjs', 'package-docs.mjs', 'published.mjs'])
      cpSync(join(root, '.ci', file), join(copy, '.ci', file));
    for (const owner of publishedPackages.keys())
      cpSync(join(root, 'packages', owner, 'package.json'), join(copy, 'packages', owner, 'package.json'));
    for (const page of [...notPacked, ...Object.values(guidesOf).flat()])
      cpSync(join(root, 'docs', page), join(copy, 'docs', page));
  });

  const pack = (owner: string) =>
    spawnSync('node', [join(copy, script)], { cwd: join(copy, 'packages', owner), encoding: 'utf8' });

  test('a package that is packed gets its guides, and loses those that have moved', () => {
    expect(pack('redis').status).toBe(0);
    const docs = join(copy, 'packages/redis/docs');
    writeFileSync(join(docs, 'moved.md'), '# Moved\n');
    expect(pack('redis').status).toBe(0);
    expect(filesBelow(docs).sort()).toEqual([...guidesOf['redis']!].sort());
  });

  test('a guide without a package ends it, with what to do', () => {
    const page = join(copy, 'docs/no-home.md');
    writeFileSync(page, '# No home\n\nNobody has it.\n');
    expect(pack('core')).toMatchObject({
      status: 1,
      stderr: 'docs/no-home.md is in no package: add it to .ci/guides.mjs.\n',
    });
    rmSync(page);
  });

  test('a guide that is gone ends it, too', () => {
    rmSync(join(copy, 'docs/skills.md'));
    expect(pack('core')).toMatchObject({
      status: 1,
      stderr: '.ci/guides.mjs has skills.md, which does not exist.\n',
    });
  });
});

test.each([...publishedPackages])('packages/%s packs what it has, before it is packed', (owner, manifest) => {
  const own = owner in guidesOf;
  expect(manifest.files?.includes('docs') ?? false).toBe(own);
  expect(manifest.scripts?.['prepack']).toBe(own ? 'node ../../.ci/package-docs.mjs' : undefined);
});

test('llms.txt lists every guide under the name of its package, and says what it is about', () => {
  const sections = read('@toolwright/core/llms.txt').split(/^## /m).slice(1);
  const listed = sections.flatMap((section) => {
    const owner = section.slice(0, section.indexOf('\n'));
    return [...section.matchAll(/^- \[.+\]\((\S+)\): (.+)$/gm)].map(([, path]) => {
      const place = join('@toolwright/core', path!);
      expect(place).toMatch(new RegExp(`^${owner}/docs/`));
      return place;
    });
  });
  expect(listed.sort()).toEqual(written().sort());
});

test('every link of a guide leads to a guide or a README of a package, and names the package that has it', () => {
  const readmes = [...publishedPackages.values()].map(({ name }) => `${name}/README.md`);
  const places = new Set([...written(), ...readmes]);
  const links = written().flatMap((guide) =>
    [...proseOf(read(guide)).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link]) => link!.split('#')[0]!)
      .filter((link) => link !== '' && !/^[a-z]+:/.test(link))
      .map((link) => ({ guide, link, place: normalize(join(dirname(guide), link)) })),
  );
  expect(links.filter(({ place }) => !places.has(place))).toEqual([]);
  expect(
    links.filter(({ link }) => link.includes('@toolwright/') || link.includes('/docs/')).length,
  ).toBeGreaterThan(100);
});

test('a guide says which packages its links need, except those that are always beside it', () => {
  const last = (guide: string) => read(guide).trimEnd().split('\n').at(-1)!;
  const approvals = last('@toolwright/identity/docs/approvals.md');
  expect(approvals).toMatch(/^Links to other packages work if these are installed: .*`@toolwright\/redis`/);
  // Express brings both.
  const express = last('@toolwright/express/docs/mounting-in-express.md');
  expect(express).toContain('`@toolwright/identity`');
  expect(express).not.toMatch(/`@toolwright\/(?:core|http)`/);
});

test('an anchor of a link stays', () => {
  const errors = read('@toolwright/core/docs/errors.md');
  expect(errors).toMatch(/\]\(\.\.\/\.\.\/[a-z]+\/docs\/[a-z-]+\.md#[a-z-]+\)/);
});

test('the file that errors name is there', () => {
  expect(read('@toolwright/core/docs/errors.md')).toContain('TW_OPTION_INVALID');
});

test('the guide that new apps name is where they say', () => {
  const lesson = readFileSync(join(root, 'packages/create-toolwright/templates/base/AGENTS.md'), 'utf8');
  const named = [...lesson.matchAll(/`node_modules\/(\S+)`/g)].map(([, path]) => path!);
  expect(named).toEqual(['@toolwright/core/llms.txt', `${nameOf('testing')}/docs/testing.md`]);
  expect(filesBelow(folder)).toEqual(expect.arrayContaining(named));
});
