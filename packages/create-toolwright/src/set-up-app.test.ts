import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from './create-app.js';
import { packageManagerOf, unpackPackages } from './set-up-app.js';

test('a lock file further up names the package manager, unless it is empty', () => {
  const root = mkdtempSync(join(tmpdir(), 'toolwright-lock-'));
  const app = join(root, 'apps/first');
  mkdirSync(app, { recursive: true });
  writeFileSync(join(root, 'yarn.lock'), '');
  expect(packageManagerOf(app, {})).toBe('npm');
  expect(packageManagerOf(app, { npm_config_user_agent: 'pnpm/10.0.0 npm/? node/v22' })).toBe('pnpm');
  writeFileSync(join(root, 'yarn.lock'), '# yarn lockfile v1\n');
  expect(packageManagerOf(app, {})).toBe('yarn');
  rmSync(root, { recursive: true });
});

test('Yarn from 2 on unpacks the packages of a new app, unless a project further up has decided', () => {
  const root = mkdtempSync(join(tmpdir(), 'toolwright-yarn-'));
  const settings = join(root, '.yarnrc.yml');
  for (const [agent, isWritten] of [
    ['yarn/1.22.22 npm/? node/v20', false],
    ['npm/11.0.0 node/v20', false],
    ['yarn/4.12.0 npm/? node/v20', true],
  ] as const) {
    unpackPackages(root, { npm_config_user_agent: agent });
    expect([agent, existsSync(settings)]).toEqual([agent, isWritten]);
  }
  expect(readFileSync(settings, 'utf8')).toBe('nodeLinker: node-modules\n');
  writeFileSync(join(root, 'yarn.lock'), '# yarn lockfile v1\n');
  const app = join(root, 'apps/first');
  mkdirSync(app, { recursive: true });
  unpackPackages(app, { npm_config_user_agent: 'yarn/4.12.0' });
  expect(existsSync(join(app, '.yarnrc.yml'))).toBe(false);
  rmSync(root, { recursive: true });
});

test('a folder that cannot be made is an error at once', () => {
  // `/proc` takes no folders, and a file none.
  const place = process.platform === 'linux' ? '/proc' : __filename;
  expect(() => createApp({ directory: join(place, 'notes'), words: {} })).toThrow(join(place, 'notes'));
});
