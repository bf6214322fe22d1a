import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { parseAppOptions } from './app-options.js';
import { createApp, findNameProblem } from './create-app.js';
import { refuseScripts } from './pnpm-workspace.js';
import { nextSteps, packageManagerOf, writeManagerSettings } from './set-up-app.js';

test('a lock file further up names the package manager, unless it is empty', () => {
  const root = temporaryFolder();
  const app = join(root, 'apps/first');
  mkdirSync(app, { recursive: true });
  writeFileSync(join(root, 'yarn.lock'), '');
  expect(packageManagerOf(app, {})).toBe('npm');
  expect(packageManagerOf(app, { npm_config_user_agent: 'pnpm/10.0.0 npm/? node/v22' })).toBe('pnpm');
  writeFileSync(join(root, 'yarn.lock'), '# yarn lockfile v1\n');
  expect(packageManagerOf(app, {})).toBe('yarn');
});

test.each([
  ['yarn/1.22.22 npm/? node/v20', 'node', {}],
  ['npm/11.0.0 node/v20', 'jest', {}],
  ['yarn/4.12.0 npm/? node/v20', 'node', { '.yarnrc.yml': 'nodeLinker: node-modules\n' }],
  ['pnpm/12.0.0 npm/? node/v20', 'node', {}],
  [
    'pnpm/12.0.0 npm/? node/v20',
    'jest',
    { 'pnpm-workspace.yaml': "allowBuilds:\n  '@parcel/watcher': false\n  '@swc/core': false\n" },
  ],
] as const)(
  '%s and --test %s need settings, unless a project further up has decided',
  (agent, test, files) => {
    const root = temporaryFolder();
    const alone = join(root, 'alone');
    const part = join(root, 'shop/apps/first');
    for (const folder of [alone, part]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(root, 'shop/yarn.lock'), '# yarn lockfile v1\n');
    for (const folder of [alone, part])
      writeManagerSettings(folder, { npm_config_user_agent: agent }, { test });
    const written = readdirSync(alone).map((name) => [name, readFileSync(join(alone, name), 'utf8')]);
    expect(Object.fromEntries(written)).toEqual(files);
    expect(readdirSync(part)).toEqual([]);
  },
);

const decided = "allowBuilds:\n  '@parcel/watcher': false\n  '@swc/core': false\n";

test.each([
  [
    'no settings of scripts',
    '# The shop.\npackages:\n  - apps/*\n',
    `# The shop.\npackages:\n  - apps/*\n${decided}`,
  ],
  ['no line break at its end', 'packages: [apps/*]', `packages: [apps/*]\n${decided}`],
  [
    'scripts of other packages',
    'allowBuilds: # Both are needed.\n\n    esbuild: true\n\npackages: [apps/*]\n',
    "allowBuilds: # Both are needed.\n    '@parcel/watcher': false\n    '@swc/core': false\n\n    esbuild: true\n\npackages: [apps/*]\n",
  ],
  [
    'a decision about one of them',
    'packages: [apps/*]\r\nallowBuilds:\r\n  "@swc/core": true\r\n',
    'packages: [apps/*]\r\nallowBuilds:\r\n  \'@parcel/watcher\': false\r\n  "@swc/core": true\r\n',
  ],
])('the scripts of Jest are decided in a workspace of pnpm with %s', (_, before, after) => {
  const root = temporaryFolder();
  const file = join(root, 'pnpm-workspace.yaml');
  writeFileSync(file, before);
  writeFileSync(join(root, 'pnpm-lock.yaml'), "lockfileVersion: '9.0'\n");
  const app = join(root, 'apps/first');
  mkdirSync(app, { recursive: true });
  expect(refuseScripts(app)).toMatch(
    /^Written to [^\n]*pnpm-workspace\.yaml: pnpm does not run[^]*'@parcel\/watcher': false/,
  );
  expect(readFileSync(file, 'utf8')).toBe(after);
  expect(refuseScripts(app)).toBeUndefined();
  expect(readdirSync(app)).toEqual([]);
});

test('a decision about scripts that is not a list of lines is told, and left as it is', () => {
  const root = temporaryFolder();
  const file = join(root, 'pnpm-workspace.yaml');
  writeFileSync(file, 'packages: [apps/*]\nallowBuilds: {}\n');
  expect(refuseScripts(join(root, 'apps/first'))).toMatch(
    /ERR_PNPM_IGNORED_BUILDS:\n {2}'@parcel\/watcher': false\n/,
  );
  expect(readFileSync(file, 'utf8')).toBe('packages: [apps/*]\nallowBuilds: {}\n');
});

test('an app below a project of pnpm that is no workspace has settings of its own', () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'pnpm-lock.yaml'), "lockfileVersion: '9.0'\n");
  const app = join(root, 'first');
  mkdirSync(app);
  writeManagerSettings(app, {}, { test: 'jest' });
  expect(readFileSync(join(app, 'pnpm-workspace.yaml'), 'utf8')).toBe(decided);
});

test('Vitest gets a Vite whose optional packages are all in the registry: Yarn from 2 on installs no other', () => {
  const directory = join(temporaryFolder(), 'notes');
  createApp({ directory, words: { test: 'vitest' } });
  const { resolutions } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  expect(resolutions).toEqual({ vite: '8.3.8' });
});

test.each([
  ['orders', 'cd orders\n'],
  ['büro/orders', 'cd büro/orders\n'],
  ['my apps/orders', 'cd "my apps/orders"\n'],
])('the next step for %s can be pasted into a shell', (folder, step) => {
  const options = parseAppOptions({});
  const said = nextSteps({ directory: join('/home/ann', folder), options, installed: false }, '/home/ann');
  expect(said).toContain(`  ${step}`);
});

test.each(['', '@acme', 'Orders', 'my app', 'node_modules'])('no package can be called "%s"', (name) => {
  expect(findNameProblem(name)).toMatch(/is no name for a package: /);
});

test('a folder that cannot be made is an error at once', () => {
  // `/proc` takes no folders, and a file none.
  const place = process.platform === 'linux' ? '/proc' : __filename;
  expect(() => createApp({ directory: join(place, 'notes'), words: {} })).toThrow(join(place, 'notes'));
});
