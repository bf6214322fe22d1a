import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brought, bytesIn } from './support/brought.js';
import { publishedPackages } from './support/packages.js';

const root = join(__dirname, '../..');
const run = promisify(execFile);

interface Packed {
  readonly archive: string;
  readonly folder: string;
  readonly manifest: Record<string, unknown>;
}

let folder: string;
/** A registry that has no package. */
let registry: Server;
let packed: Packed[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dry-run-'));
  execFileSync(join(root, '.ci/pack'), [folder], { stdio: 'pipe' });
  packed = readdirSync(folder)
    .filter((name) => name.endsWith('.tgz'))
    .map((name) => unpack(join(folder, name)));
  registry = createServer((_request, response) => response.writeHead(404).end('{}'));
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
}, 120_000);

afterAll(() => {
  registry?.close();
  rmSync(folder, { recursive: true });
});

function unpack(archive: string): Packed {
  const target = mkdtempSync(join(folder, 'unpacked-'));
  execFileSync('tar', ['-xzf', archive, '-C', target]);
  const manifest = JSON.parse(readFileSync(join(target, 'package/package.json'), 'utf8'));
  return { archive, folder: join(target, 'package'), manifest };
}

/** Every file of a package, relative to it. */
const filesOf = ({ folder }: Packed) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

test('a release packs every package, and nothing else', () => {
  const names = packed.map(({ manifest }) => manifest['name']);
  expect(names.sort()).toEqual([...publishedPackages.values()].map(({ name }) => name).sort());
});

test('npm would publish every archive', async () => {
  const { port } = registry.address() as AddressInfo;
  const env = { PATH: process.env['PATH'], HOME: folder, npm_config_update_notifier: 'false' };
  // One npm for all of them, as workspaces of one folder: each would take a second of the processor.
  const workspaces = packed.map((each) => relative(folder, each.folder));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, workspaces }));
  const options = ['--dry-run', '--json', '--access', 'public', '--registry', `http://127.0.0.1:${port}/`];
  const { stdout } = await run('npm', ['publish', '--workspaces', ...options], { cwd: folder, env });
  const published = Object.values(JSON.parse(stdout) as Record<string, { id: string }>).map(({ id }) => id);
  const ids = packed.map(({ manifest }) => `${manifest['name']}@${manifest['version']}`);
  expect(published.sort()).toEqual(ids.sort());
}, 300_000);

test('archives have what npm and a proof of origin need, and no name of this workspace', () => {
  for (const { manifest } of packed) {
    expect(manifest).toMatchObject({
      license: 'MIT',
      engines: { node: expect.stringMatching(/^>=\d/) },
      publishConfig: { access: 'public', provenance: true },
    });
    expect(JSON.stringify(manifest)).not.toMatch(/"(workspace|catalog|link|file):/);
  }
});

test('every way in and every command of a package is in its archive', () => {
  const missing = packed.flatMap((each) => {
    const files = new Set(filesOf(each));
    return [
      ...pathsIn(each.manifest['exports']),
      ...pathsIn(each.manifest['bin']),
      ...pathsIn(each.manifest['main']),
    ]
      .map((path) => path.replace(/^\.\//, ''))
      .filter((path) => !path.includes('*') && !files.has(path))
      .map((path) => `${each.manifest['name']}: ${path}`);
  });
  expect(missing).toEqual([]);
});

/** The paths in a member of a package.json, however deep. */
function pathsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pathsIn) : [];
}

test('every guide of a package is in its archive, and the list of all in that of core', () => {
  const { guidesOf } = jest.requireActual<{ guidesOf: Record<string, string[]> }>('../guides.mjs');
  const guides = packed.map((each) => [
    each.manifest['name'],
    filesOf(each)
      .filter((file) => file.startsWith('docs/'))
      .sort(),
  ]);
  const expected = [...publishedPackages].map(([owner, { name }]) => [
    name,
    (guidesOf[owner] ?? []).map((guide) => `docs/${guide}`).sort(),
  ]);
  expect(Object.fromEntries(guides)).toEqual(Object.fromEntries(expected));
  expect(filesOf(packed.find(({ manifest }) => manifest['name'] === '@toolwright/core')!)).toContain(
    'llms.txt',
  );
});

/** What the install had before core was drawn again. */
const INSTALL_BYTES = 4_994_416;

test('a production install of core and http is not larger than it was', () => {
  const folders = ['core', 'http'].flatMap((name) => [...brought(join(root, 'packages', name))]);
  const bytes = [...new Set(folders)].map((place) => {
    const ours = packed.find(({ manifest }) => join(root, 'packages', nameOf(manifest)) === place);
    return bytesIn(ours?.folder ?? place);
  });
  expect(bytes.length).toBe(6);
  expect(bytes.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(INSTALL_BYTES);
});

const nameOf = (manifest: Record<string, unknown>) => String(manifest['name']).replace('@toolwright/', '');

test('no file names a source map that is not there', () => {
  const dead = packed.flatMap((each) =>
    filesOf(each)
      .filter((file) => /\.[cm]?[jt]s$/.test(file))
      .flatMap((file) => {
        const [, map] = /^\/\/# sourceMappingURL=(\S+)\s*$/m.exec(lastLines(join(each.folder, file))) ?? [];
        if (map === undefined || map.startsWith('data:')) return [];
        const isThere = filesOf(each).includes(join(dirname(file), map));
        return isThere ? [] : [`${each.manifest['name']}: ${file}`];
      }),
  );
  expect(dead).toEqual([]);
});

const lastLines = (file: string) => readFileSync(file, 'utf8').slice(-300);
