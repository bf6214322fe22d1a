import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { count } from '../../../.ci/test/support/proof.js';

// It asks the registry of npm for the peers, so only a proof runs it.

interface PackageManifest {
  name: string;
  version: string;
  private?: boolean;
  peerDependencies?: Record<string, string>;
}

const packages = join(__dirname, '../../../packages');
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as PackageManifest;
const published = readdirSync(packages)
  .map((folder) => read(join(packages, folder, 'package.json')))
  .filter((each) => !each.private);

const home = mkdtempSync(join(tmpdir(), 'beside-peers-'));
afterAll(() => rmSync(home, { recursive: true }));

/** The packed packages, by their names. Each of them in a project keeps npm from asking a registry for the others. */
const packed: Record<string, string> = {};

beforeAll(() => {
  const words = ['-r', '--no-sort', '--filter', './packages/*', 'pack', '--pack-destination', home];
  execFileSync('pnpm', words, { cwd: join(packages, '..'), stdio: 'ignore' });
  for (const { name, version } of published)
    packed[name] = `file:${join(home, `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`)}`;
});

/** The newest majors of a package, as npm has them. A version before 1.0.0 has its second number for a major. */
function newestMajors(name: string, many: number): string[] {
  const versions = execFileSync('npm', ['view', name, 'versions', '--json'], { encoding: 'utf8' });
  const stable = (JSON.parse(versions) as string[]).filter((version) => /^\d+\.\d+\.\d+$/.test(version));
  const majors = stable.map((version) => /^(?:0\.)?\d+/.exec(version)![0]);
  return [...new Set(majors)].sort((a, b) => compare(b, a)).slice(0, many);
}

const compare = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true });

/** A folder with all packages of this release, and these. npm refuses it when a peer does not fit. */
function install(name: string, beside: Record<string, string>): { folder: string; refused: string } {
  const folder = join(home, name.replaceAll('/', '-'));
  mkdirSync(folder);
  const dependencies = { ...packed, ...beside };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
  const { status, stderr } = spawnSync('npm', words, { cwd: folder, encoding: 'utf8' });
  return { folder, refused: status === 0 ? '' : stderr };
}

/** The peers that are installed by themselves with others of theirs: React has two packages of one version. */
const together: Record<string, readonly string[]> = {
  react: ['react', 'react-dom'],
  '@nestjs/core': ['@nestjs/common', '@nestjs/core'],
};
const inOthers = new Set(
  Object.entries(together).flatMap(([name, all]) => all.filter((each) => each !== name)),
);
const peers = [...new Set(published.flatMap(({ peerDependencies = {} }) => Object.keys(peerDependencies)))];

test.each(peers.filter((name) => !inOthers.has(name)))('every package is installed beside %s', (name) => {
  const refused = newestMajors(name, 2).flatMap((major) => {
    const all = (together[name] ?? [name]).map((each) => [each, `^${major}`]);
    count('installed', 1);
    const tried = install(`${name}-${major}`, Object.fromEntries(all) as Record<string, string>);
    rmSync(tried.folder, { recursive: true });
    return tried.refused === '' ? [] : [{ major, refused: tried.refused }];
  });
  expect(refused).toEqual([]);
});

test.each(['5', '6', '7', '8'])('views are built with Vite %s', (major) => {
  const { folder, refused } = install(`views-${major}`, {
    vite: `^${major}`,
    preact: '^10.19',
    typescript: '^5.9',
    '@types/node': '^20',
  });
  expect(refused).toBe('');
  cpSync(join(__dirname, 'fixtures/view-project'), folder, { recursive: true });
  const built = spawnSync('npx', ['--no', 'toolwright', 'build'], { cwd: folder, encoding: 'utf8' });
  expect(built).toMatchObject({ status: 0, stderr: '' });
  const pages = JSON.parse(readFileSync(join(folder, 'mcp.views.json'), 'utf8')) as { chart: string };
  expect(pages.chart).toContain('color:light-dark(#123,#def)');
  expect(pages.chart).toMatch(/script-src '[^']+' https:\/\/cdn\.example\.com https:\/\/img\.example/);
  expect(pages.chart).not.toMatch(/jsxDEV|NODE_ENV/);
  count('views', 1);
});
