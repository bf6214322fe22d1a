import { existsSync } from 'node:fs';
import { join } from 'node:path';

const app = join(__dirname, '../..');
/** The large packages are not part of the workspace. `pnpm proof:install` installs them. */
const large = join(app, '../proof/node_modules');
const newerNode = join(app, '../conformance-suite/node_modules/.bin/node');
const cpu = process.arch;

/** A runtime, and how it starts the app. */
export interface Runtime {
  name: string;
  command: string;
  args: string[];
  /** A package that it needs beside its command. */
  needs?: string;
  /** It tells that a client has gone only when something is written to it. */
  tellsLate?: true;
  /** Where every process has few requests and ends soon: no sessions. */
  hasNoSessions?: true;
}

const binary = (packageName: string, file: string) => join(large, packageName, file);

const all: Runtime[] = [
  { name: `Node ${process.versions.node}`, command: process.execPath, args: ['runtimes/node.mjs'] },
  { name: 'Node 24', command: newerNode, args: ['runtimes/node.mjs'] },
  {
    name: 'Bun',
    command: binary(`@oven/bun-linux-${cpu === 'arm64' ? 'aarch64' : cpu}`, 'bin/bun'),
    args: ['runtimes/bun.mjs'],
  },
  {
    name: 'Deno',
    command: binary(`@deno/linux-${cpu}-glibc`, 'deno'),
    args: ['run', '--allow-all', '--no-prompt', '--cached-only', 'runtimes/deno.mjs'],
  },
  {
    name: 'workerd',
    command: process.execPath,
    args: ['test/support/run-worker.mjs', '../../runtimes/worker.mjs'],
    needs: join(large, 'miniflare'),
    tellsLate: true,
    hasNoSessions: true,
  },
  {
    name: 'a Durable Object in workerd',
    command: process.execPath,
    args: ['test/support/run-worker.mjs', '../../runtimes/worker-object.mjs'],
    needs: join(large, 'miniflare'),
    tellsLate: true,
  },
];

const isThere = ({ command, needs = command }: Runtime) =>
  (existsSync(command) && existsSync(needs)) || process.env['REQUIRE_ALL'] === '1';

/** The runtimes that are installed, and that npm has for this machine. */
export const runtimes = all.filter(isThere);
/** The others: their tests are named, and skipped. */
export const missing = all.filter((runtime) => !isThere(runtime)).map(({ name }) => name);
