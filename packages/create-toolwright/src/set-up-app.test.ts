import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from './create-app.js';
import { packageManagerOf } from './set-up-app.js';

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

test('a folder that cannot be made is an error at once', () => {
  // `/proc` takes no folders, and a file none.
  const place = process.platform === 'linux' ? '/proc' : __filename;
  expect(() => createApp({ directory: join(place, 'notes'), words: {} })).toThrow(join(place, 'notes'));
});
