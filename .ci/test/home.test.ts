import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './support/temporary-folder.js';
import { publishedPackages, type PackageManifest } from './support/packages.js';

const root = join(__dirname, '../..');
const script = join(root, '.ci/home.mjs');
const names = [...publishedPackages.keys()];

const manifestOf = (folder: string, name: string) =>
  JSON.parse(readFileSync(join(folder, 'packages', name, 'package.json'), 'utf8')) as PackageManifest;

describe('a package that is published', () => {
  const copy = temporaryFolder();
  const env = { PATH: process.env['PATH'], GITHUB_REPOSITORY: 'somebody/fork' };

  beforeAll(() => {
    for (const name of names) {
      for (const file of ['package.json', 'README.md']) {
        const from = join(root, 'packages', name, file);
        if (existsSync(from)) cpSync(from, join(copy, 'packages', name, file));
      }
    }
    execFileSync(process.execPath, [script, copy], { env });
  });

  test.each(names)('%s names where it lives', (name) => {
    expect(manifestOf(copy, name)).toMatchObject({
      homepage: `https://github.com/somebody/fork/tree/HEAD/packages/${name}#readme`,
      repository: {
        type: 'git',
        url: 'git+https://github.com/somebody/fork.git',
        directory: `packages/${name}`,
      },
      bugs: { url: 'https://github.com/somebody/fork/issues' },
    });
  });

  const withReadme = names.filter((name) => existsSync(join(root, 'packages', name, 'README.md')));

  test.each(withReadme)('%s has a README whose links lead somewhere from npm', (name) => {
    const readme = readFileSync(join(copy, 'packages', name, 'README.md'), 'utf8');
    const links = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
    expect(links.filter((link) => !/^(https:|#)/.test(link))).toEqual([]);
    const own = links.filter((link) => link.startsWith('https://github.com/somebody/fork/blob/HEAD/'));
    const files = own.map((link) => link.replace(/^.*\/blob\/HEAD\//, '').replace(/#.*/, ''));
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  test('leads to the site, where one is published', () => {
    execFileSync(process.execPath, [script, copy], {
      env: { ...env, SITE_URL: 'https://docs.example.com/' },
    });
    expect(manifestOf(copy, 'core').homepage).toBe('https://docs.example.com/');
  });
});

test('without an address nothing is written', () => {
  const run = () => execFileSync(process.execPath, [script, '/nowhere'], { env: {}, stdio: 'pipe' });
  expect(run).toThrow(/Set GITHUB_REPOSITORY/);
});

test.each(names)('%s can be found by what it is', (name) => {
  const { description, keywords } = manifestOf(root, name);
  expect(description).toMatch(/^[\w@].{20,}[^.]\.$|^npm create/);
  expect(keywords.slice(0, 5)).toEqual([
    'mcp',
    'model-context-protocol',
    'mcp-server',
    'toolwright',
    'typescript',
  ]);
  expect(keywords.length).toBeGreaterThan(5);
});
