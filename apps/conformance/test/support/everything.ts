import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MountOptions } from '@toolwright/mount';
import { freePort } from '../../../../.ci/test/support/free-port.js';
import { realServers, startOf } from '../../../proof/test/real-servers.js';

export const upstreams = ['stdio', 'streamableHttp', 'sse'] as const;

/** The server "everything", in one of its forms, and how it is mounted. */
export async function startEverything(
  form: (typeof upstreams)[number],
  folder: string,
): Promise<{ options: MountOptions; close(): unknown }> {
  const { command, args, env, cwd } = startOf(realServers[0]!, folder);
  if (form === 'stdio') return { options: { command, args, env, cwd }, close: () => undefined };
  const port = await freePort();
  const child = spawn(command, [...args, form], {
    cwd,
    env: { PATH: process.env.PATH, ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  while (!said.includes(`port ${port}`)) said += String((await once(child.stderr, 'data'))[0]);
  child.stderr.resume();
  return {
    options: { url: `http://127.0.0.1:${port}/${form === 'sse' ? 'sse' : 'mcp'}` },
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The arguments of Node.js for a gateway over stdio, on the packages as they are built. */
export function stdioGateway(options: MountOptions): string {
  const packages = join(__dirname, '../../../../packages');
  const file = join(mkdtempSync(join(tmpdir(), 'gateway-')), 'gateway.cjs');
  writeFileSync(
    file,
    `const { createMcpServer } = require('${packages}/core');
const { mountServer } = require('${packages}/mount');
const { serveStdio } = require('${packages}/stdio');
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const options = { name: 'gateway', version: '1.0.0', services: [], rateLimit: false, audit: false, logger };
createMcpServer(options).then(async (server) => {
  await mountServer(server, 'everything', ${JSON.stringify({ ...options, required: true })});
  await serveStdio(server);
});
`,
  );
  return file;
}
