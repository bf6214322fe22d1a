// Writes the manifests of the apps, as the script "manifest" of each does. One process builds them all: a process for each
// would load and warm up the compiler as often as there are apps.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processTerminal, run } from '../packages/cli/dist/index.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const terminal = processTerminal();

for (const room of ['apps', 'apps/monorepo-services', 'apps/gallery/plugins'])
  for (const name of readdirSync(join(root, room))) {
    const cwd = join(root, room, name);
    const [program, ...words] = scriptOf(cwd)?.split(' ') ?? [];
    if (program === undefined) continue;
    if (program !== 'toolwright') throw new Error(`${cwd}: "manifest" is no command of toolwright.`);
    const code = await run(words, { ...terminal, cwd });
    if (code !== 0) process.exit(code);
  }

function scriptOf(folder) {
  const file = join(folder, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).scripts?.manifest : undefined;
}
