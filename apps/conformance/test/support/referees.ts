import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The package that holds what needs a newer Node. Called by path: its `node` must not shadow the one in use. */
export const suite = join(__dirname, '../../../conformance-suite');
const modules = join(suite, 'node_modules');
const MAJOR = 22;

/** A Node that the referees start on. */
export function newerNode(): string {
  if (Number(process.versions.node.split('.')[0]) >= MAJOR) return process.execPath;
  const found = readdirSync(modules).find((name) => name.startsWith('node-'));
  if (!found) throw new Error(`The referees need Node ${MAJOR}, which is not packaged for this platform.`);
  return join(modules, found, 'bin/node');
}

export const conformanceCli = join(modules, '@modelcontextprotocol/conformance/dist/index.js');
export const inspectorCli = join(modules, '@modelcontextprotocol/inspector/clients/launcher/build/index.js');

export interface RefereeResult {
  code: number | null;
  output: string;
}

export interface RefereeSettings {
  /** The Node.js that runs it. Default: one that is new enough for all referees. */
  node?: string;
  env?: NodeJS.ProcessEnv;
}

export function runReferee(
  args: readonly string[],
  { node = newerNode(), env }: RefereeSettings = {},
): Promise<RefereeResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (chunk: Buffer) => (output += chunk.toString());
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
