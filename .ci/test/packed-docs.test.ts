import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';

const core = join(__dirname, '../../packages/core');
const folder = mkdtempSync(join(tmpdir(), 'toolwright-pack-'));

interface Packed {
  filename: string;
  size: number;
  files: { path: string }[];
}
let packed: Packed;

beforeAll(() => {
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: core,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  packed = (JSON.parse(output.slice(output.indexOf('['))) as [Packed])[0];
  execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', folder]);
});

afterAll(() => rmSync(folder, { recursive: true }));

const read = (path: string) => readFileSync(join(folder, 'package', path), 'utf8');
const paths = () => packed.files.map(({ path }) => path);

test('what is installed carries its guides', () => {
  expect(paths()).toEqual(
    expect.arrayContaining([
      'llms.txt',
      'docs/getting-started.md',
      'docs/errors.md',
      'docs/recipes/databases.md',
    ]),
  );
  expect(paths()).not.toContain('docs/contributing.md');
});

test('llms.txt lists every guide that is there, and says what it is about', () => {
  const lines = [...read('llms.txt').matchAll(/^- \[.+\]\((\S+)\): .+$/gm)].map(([, path]) => path!);
  expect(lines.sort()).toEqual(
    paths()
      .filter((path) => /^docs\/.*\.md$/.test(path))
      .sort(),
  );
});

test('no link of a guide leads out of the package or to a file that is not there', () => {
  const guides = paths().filter((path) => path.endsWith('.md') && path.startsWith('docs/'));
  const dead = guides.flatMap((guide) =>
    [
      ...read(guide)
        .replace(/^\s*```[\s\S]*?^\s*```\s*$/gm, '')
        .matchAll(/\]\(([^)\s]+)\)/g),
    ]
      .map(([, link]) => link!.split('#')[0]!)
      .filter((link) => link !== '' && !/^[a-z]+:/.test(link))
      .filter((link) => !paths().includes(normalize(join(dirname(guide), link))))
      .map((link) => `${guide}: ${link}`),
  );
  expect(dead).toEqual([]);
});

test('the file that errors name is there', () => {
  expect(read('docs/errors.md')).toContain('TW_OPTION_INVALID');
});
