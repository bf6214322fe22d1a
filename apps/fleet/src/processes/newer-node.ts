import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The package of this repository that holds a newer Node.js for the programs that need one. */
const MODULES = join(__dirname, '..', '..', '..', 'conformance-suite', 'node_modules');
const NEEDED = { major: 22, minor: 12 };

/** A Node.js that is new enough for the queue of tasks; `undefined` when there is none. */
export function findNewerNode(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > NEEDED.major || (major === NEEDED.major && minor >= NEEDED.minor)) return process.execPath;
  const found = existsSync(MODULES) && readdirSync(MODULES).find((name) => name.startsWith('node-'));
  return found ? join(MODULES, found, 'bin', 'node') : undefined;
}
