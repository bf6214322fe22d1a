// Runs the pinned pnpm with nothing but Node and npm installed:
//   node .ci/workspace.mjs install build     installs from the lockfile, then `pnpm build`
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

// pnpm warns of each package that wants a newer Node.js than this one, which tests run on the newer one only.
const env = { ...process.env, pnpm_config_loglevel: 'error' };

for (const task of process.argv.slice(2)) {
  if (task === 'install') console.log('Installing the packages of the lockfile …');
  const command = task === 'install' ? ['install', '--frozen-lockfile'] : ['run', task];
  const { status, signal } = spawnSync('npx', ['--yes', packageManager, ...command], {
    cwd: root,
    stdio: 'inherit',
    env,
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? (signal ? 1 : 0));
}
