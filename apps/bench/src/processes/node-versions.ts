import { execFileSync } from 'node:child_process';

/** The Node.js the contestants also run on. It comes as an npm package, called by path: nothing else sees it. */
const SECOND_NODE = 'node@24.21.0';

export interface NodeBinary {
  version: string;
  path: string;
}

/** Finds the binaries for `current`, `24`, or paths; downloads Node 24 into npm's cache when it is first used. */
export function findNode(name: string): NodeBinary {
  if (name === 'current') return { version: process.versions.node, path: process.execPath };
  if (name === '24') return ask('npx', ['--yes', '--package', SECOND_NODE, '--', 'node']);
  return ask(name, []);
}

function ask(command: string, args: string[]): NodeBinary {
  const question = 'JSON.stringify({ version: process.versions.node, path: process.execPath })';
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
  return JSON.parse(execFileSync(command, [...args, '-p', question], { encoding: 'utf8', stdio }));
}
