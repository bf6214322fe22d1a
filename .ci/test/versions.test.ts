import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const script = join(root, '.ci/versions.mjs');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('docs/versions.md says of the next release what its packages and its tests say', () => {
  expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow();
});

test('the table has the version of the packages', () => {
  const { version } = JSON.parse(read('packages/core/package.json')) as { version: string };
  expect(Object.keys(JSON.parse(read('docs/versions.json')) as object)).toContain(
    version.split('.', 2).join('.'),
  );
});

test('all packages share one version', () => {
  const versions = readdirSync(join(root, 'packages')).map(
    (name) => (JSON.parse(read(`packages/${name}/package.json`)) as { version: string }).version,
  );
  expect(new Set(versions).size).toBe(1);
});

test('the guide to upgrading begins with the step to the newest version of the table', () => {
  const [newest, before] = Object.keys(JSON.parse(read('docs/versions.json')) as object);
  const [, from, to] = /^## From ([\d.]+) to ([\d.]+)$/m.exec(read('docs/upgrading.md'))!;
  expect({ from, to }).toEqual({ from: before, to: newest });
});

test('the guide to upgrading and the page of versions say the same about names that go', () => {
  expect(read('docs/upgrading.md')).toContain(
    'Until the first public release, a name goes without a warning',
  );
  expect(read('docs/versions.md')).toContain(
    'Until the first one is, a public name may go without a warning',
  );
});

test('the README names the oldest Node.js of the table, and the features its revisions', () => {
  const [[, newest]] = Object.entries(JSON.parse(read('docs/versions.json')) as Record<string, Facts>) as [
    [string, Facts],
  ];
  const readme = read('README.md');
  const features = read('docs/features.md');
  for (const revision of newest['Revisions of the protocol'].split(', '))
    expect(features).toContain(revision);
  expect(readme).toContain(`Node.js ${/\d+\.\d+/.exec(newest['Node.js'])![0]} or later`);
  expect(features).toContain(`conformance suite ${newest['Official conformance suite']}`);
});

type Facts = Record<'Node.js' | 'Revisions of the protocol' | 'Official conformance suite', string>;
