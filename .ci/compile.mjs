// Compiles every package and app, as `tsc -b` does, with TypeScript 7, which needs a fifth of the time of 5.9:
//   node .ci/compile.mjs            words such as --force or --watch go to the compiler
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { restorePlain } from './plain-declarations.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const compiler = join(root, 'packages/cli/node_modules/typescript-7/bin/tsc');

await restorePlain(root);
const { status } = spawnSync(process.execPath, [compiler, '-b', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
