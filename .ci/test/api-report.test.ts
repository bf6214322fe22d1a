import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedPackages } from './support/packages.js';

// One program for all entry points: 6 s where nothing else runs.
const script = join(__dirname, '../api-report.mjs');
const packages = join(__dirname, '../../packages');

interface PackageManifest {
  name: string;
  exports: Record<string, string | { types?: string }>;
}

/** The entry points of a package, by the names under which they are imported. */
function entriesOf(folder: string) {
  const text = readFileSync(join(packages, folder, 'package.json'), 'utf8');
  const { name, exports } = JSON.parse(text) as PackageManifest;
  return Object.entries(exports).map(([path, to]) => ({
    name: join(name, path),
    typed: typeof to === 'object' && to.types !== undefined,
  }));
}

const namesOf = (entries: { name: string }[]) => entries.map(({ name }) => name);

test('the API report of every package says what its declarations say', () => {
  expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow();
});

const folders = [...publishedPackages.keys()];

test.each(folders)('the API report of %s has every entry point that has types', (folder) => {
  const report = readFileSync(join(packages, folder, 'api.md'), 'utf8');
  const reported = [...report.matchAll(/^## (.+)\n\n```ts\n/gm)].map(([, name]) => name);
  expect(reported).toEqual(namesOf(entriesOf(folder).filter(({ typed }) => typed)));
});

test('an entry point without types is a file of settings, the program of the command, or only types', () => {
  const untyped = folders.flatMap((folder) => entriesOf(folder).filter(({ typed }) => !typed));
  const rest = namesOf(untyped).filter((name) => !name.endsWith('/package.json'));
  expect(rest).toEqual([
    '@toolwright/cli/bin',
    '@toolwright/testing/jest-preset',
    '@toolwright/views/assets',
  ]);
});

test('a report has no constructor of a class that only its package makes, and nothing that only it mentions', () => {
  const report = readFileSync(join(packages, 'core/api.md'), 'utf8');
  const classOf = (name: string) => new RegExp(`class ${name} [^]*?\\n}`).exec(report)![0];
  expect(classOf('MemoryTaskStore')).toContain('constructor(');
  expect(classOf('Session')).toContain('readonly id: string;');
  expect(classOf('Session')).not.toContain('constructor(');
  expect(classOf('McpServer')).not.toContain('constructor(');
  expect(report).not.toContain('BootedServer');
});
