import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { appFolder } from '../folders.js';

export interface NodeBinary {
  version: string;
  path: string;
}

/** The Node.js 24 that the conformance suite runs on too. Called by path: it must not shadow the one in use. */
const packaged = join(
  appFolder,
  `../conformance-suite/node_modules/node-${process.platform}-${process.arch}/bin/node`,
);

/** The binaries for `current`, `24` or paths, each version once. */
export function findNodes(names: string[]): NodeBinary[] {
  const found = names.map(findNode);
  return found.filter(
    ({ version }, index) => found.findIndex((other) => other.version === version) === index,
  );
}

/** Where Node 24 is not installed, npm fetches it into its cache. */
function findNode(name: string): NodeBinary {
  if (name === 'current') return { version: process.versions.node, path: process.execPath };
  if (name !== '24') return ask(name, []);
  return existsSync(packaged)
    ? ask(packaged, [])
    : ask('npx', ['--yes', '--package', 'node@24', '--', 'node']);
}

function ask(command: string, args: string[]): NodeBinary {
  const question = 'JSON.stringify({ version: process.versions.node, path: process.execPath })';
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
  return JSON.parse(
    execFileSync(command, [...args, '-p', question], { encoding: 'utf8', stdio }),
  ) as NodeBinary;
}
