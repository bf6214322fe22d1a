// Runs the pinned pnpm with nothing but Node and npm installed:
//   node .ci/workspace.mjs install build     installs from the lockfile, then `pnpm build`
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

for (const task of process.argv.slice(2)) {
  const command = task === 'install' ? ['install', '--frozen-lockfile'] : ['run', task];
  const { status, signal } = spawnSync('npx', ['--yes', packageManager, ...command], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? (signal ? 1 : 0));
}
