import { execFileSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './support/temporary-folder.js';
import { publishedPackages } from './support/packages.js';
import { readWorkflow, type Job } from './support/workflows.js';

const root = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const manifests = [...publishedPackages.values()];

const { jobs } = readWorkflow('release.yml');
const scriptsOf = ({ steps }: Job) => steps!.flatMap(({ run }) => run ?? []);

let folder: string;
beforeEach(() => (folder = temporaryFolder()));

test.each(manifests.map((manifest) => [manifest.name, manifest] as const))(
  '%s is public, and is published only with a proof of where it was built',
  (_name, { publishConfig }) => expect(publishConfig).toEqual({ access: 'public', provenance: true }),
);

// Changesets makes a major version of a package when a peer of it has a new minor version, and of all with it.
test.each(manifests.map((manifest) => [manifest.name, manifest] as const))(
  '%s has no peer of ours, so the next version is the one that the changesets ask for',
  (_name, { peerDependencies = {} }) => {
    expect(Object.keys(peerDependencies).filter((peer) => peer.startsWith('@toolwright/'))).toEqual([]);
  },
);

test('no changeset asks for 1.0 by the way', () => {
  const changesets = readdirSync(join(root, '.changeset')).filter((name) => name.endsWith('.md'));
  expect(changesets.filter((name) => /: major$/m.test(read(`.changeset/${name}`)))).toEqual([]);
});

test('changesets become a pull request; merging it publishes what passed every check', () => {
  expect(jobs['version']!.steps!.find(({ id }) => id === 'changesets')!.with).toMatchObject({
    version: '.ci/version',
  });
  expect(jobs['check']).toMatchObject({
    if: "needs.version.outputs.waiting == 'false'",
    uses: './.github/workflows/check.yml',
  });
  const order = Object.entries(jobs).map(([name, { needs }]) => [needs, name]);
  expect(order).toEqual([
    [undefined, 'version'],
    ['version', 'check'],
    ['check', 'pack'],
    ['pack', 'publish'],
    ['publish', 'announce'],
  ]);
});

test('a fork publishes nothing', () => {
  expect(jobs['version']!.if).toBe("vars.PUBLISHES == 'true'");
});

test('packages know their repository before they are packed, and their bills of materials are published with them', () => {
  expect(scriptsOf(jobs['pack']!)).toEqual([
    'node .ci/workspace.mjs install build',
    'node .ci/home.mjs',
    '.ci/pack release/packages',
    '.ci/sbom release/sbom',
  ]);
  expect(scriptsOf(jobs['announce']!)).toEqual(['.ci/announce release']);
});

test('the job that may publish runs one script, which needs no dependency', () => {
  expect(scriptsOf(jobs['publish']!)).toEqual(['.ci/publish release/packages']);
  expect(jobs['publish']!.environment).toBe('npm');
  expect(read('.ci/publish')).not.toMatch(/npx|node_modules|npm (ci|i|install|exec|run)\b/);
});

test.each(['run', 'version', 'pack', 'sbom', 'publish', 'announce'])('.ci/%s can be started', (script) => {
  expect(() => accessSync(join(root, '.ci', script), constants.X_OK)).not.toThrow();
});

/** Puts a program of that name first in PATH. It answers by the lines of shell, and writes down how it was called. */
function standIn(program: string, ...answers: string[]): NodeJS.ProcessEnv {
  const file = join(folder, 'bin', program);
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(file, ['#!/bin/sh', `echo "$@" >> ${join(folder, 'calls')}`, ...answers].join('\n'));
  chmodSync(file, 0o755);
  return { PATH: `${join(folder, 'bin')}:${process.env['PATH']}` };
}

const calls = () => readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n');

/** An archive with the description of a package, as `npm pack` makes it. */
function archive(name: string): string {
  mkdirSync(join(folder, 'package'), { recursive: true });
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify({ name, version: '0.2.0' }));
  const file = join(folder, 'archives', `${name}-0.2.0.tgz`);
  mkdirSync(join(folder, 'archives'), { recursive: true });
  execFileSync('tar', ['-czf', file, '-C', folder, 'package']);
  return file;
}

test('.ci/publish publishes what the registry lacks, so that it can go on after a failure', () => {
  archive('first');
  const second = archive('second');
  // The registry knows the first package only.
  const env = standIn('npm', 'if [ "$1 $2" = "view first@0.2.0" ]; then echo 0.2.0; fi');
  execFileSync(join(root, '.ci/publish'), [join(folder, 'archives')], { env, stdio: 'pipe' });
  expect(calls()).toEqual([
    'view first@0.2.0 version',
    'view second@0.2.0 version',
    `publish ${second} --access public`,
  ]);
});

test('.ci/publish stops at the first package that npm refuses', () => {
  archive('first');
  archive('second');
  const env = standIn('npm', '[ "$1" = view ]');
  const publish = () =>
    execFileSync(join(root, '.ci/publish'), [join(folder, 'archives')], { env, stdio: 'pipe' });
  expect(publish).toThrow();
  expect(calls()).toHaveLength(2);
});

test('.ci/announce tags the commit that was built, once', () => {
  const announce = (env: NodeJS.ProcessEnv) =>
    execFileSync(join(root, '.ci/announce'), [folder], {
      env: { ...env, GITHUB_REPOSITORY: 'owner/name', GITHUB_SHA: 'abc' },
      stdio: 'pipe',
    });
  const { version } = JSON.parse(read('packages/core/package.json')) as { version: string };
  announce(standIn('gh', '[ "$2" = create ]'));
  expect(calls()).toEqual([
    `release view v${version} --repo owner/name`,
    expect.stringContaining(`release create v${version} --repo owner/name --target abc`),
  ]);
  announce(standIn('gh', 'true'));
  expect(calls().slice(2)).toEqual([`release view v${version} --repo owner/name`]);
});

test('The bill of materials lists what each package needs at run time', () => {
  execFileSync(join(root, '.ci/sbom'), [folder], { cwd: root, stdio: 'pipe' });
  const published = manifests.map(({ name }) => `${name.replace('@', '').replace('/', '-')}.cdx.json`);
  expect(readdirSync(folder).sort()).toEqual(published.sort());
  const core = JSON.parse(readFileSync(join(folder, 'toolwright-core.cdx.json'), 'utf8'));
  expect(core).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
  const names = (core.components as { group?: string; name: string }[]).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['regexpp', 'reflect-metadata']));
  for (const each of ['ajv', 'ajv-formats', 'jest']) expect(names).not.toContain(each);
});

test('The policy for reporting a vulnerability is where people look for it', () => {
  expect(read('SECURITY.md')).toMatch(/## Reporting a vulnerability/);
  expect(read('README.md')).toContain('(SECURITY.md)');
  expect(read('docs/security.md')).toContain('(../SECURITY.md)');
});
