import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { freePort } from '../../../../.ci/test/support/free-port.js';
import { Person } from './person.js';

/** Its own program, which speaks over standard input and output on one side, and signs in on the other. */
const PROGRAM = join(dirname(require.resolve('mcp-remote/package.json')), 'dist/proxy.js');

/** How long a call may take. It includes a sign-in. */
const PATIENCE_MS = 20_000;

export interface McpRemote {
  /** The pages that its person was sent to. */
  readonly visited: URL[];
  /** What it has written for its user. */
  readonly said: string[];
  names(): Promise<string[]>;
  /** The text of the result, or the message of the error. */
  call(name: string): Promise<string>;
  close(): Promise<void>;
}

/** The address to which mcp-remote lets people come back. */
export async function freeCallback(): Promise<{ port: number; redirectUri: string }> {
  const port = await freePort();
  return { port, redirectUri: `http://127.0.0.1:${port}/oauth/callback` };
}

export interface McpRemoteWish {
  readonly user: string | Person;
  readonly port: number;
  readonly document?: string;
  /** The id of a client that was registered before. */
  readonly client?: string | undefined;
  /** How long a call may take. */
  readonly patienceMs?: number;
  /** What its environment has besides. */
  readonly relay?: Readonly<Record<string, string>>;
}

/** @returns false if nobody listens there */
async function visit(url: URL): Promise<boolean> {
  try {
    await (await fetch(url)).body?.cancel();
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts mcp-remote in front of a server, and a client in front of mcp-remote. No browser opens: the person reads the
 * address from what the program writes, signs in, and goes back to it.
 *
 * @param document the URL of its metadata document; without it, it registers dynamically
 */
export async function startMcpRemote(
  endpoint: string,
  { user, port, document, client: known, relay, patienceMs = PATIENCE_MS }: McpRemoteWish,
): Promise<McpRemote> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-remote-'));
  const args = [PROGRAM, endpoint, String(port), '--host', '127.0.0.1', '--transport', 'http-only'];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      ...args,
      ...(document === undefined ? [] : ['--client-metadata-url', document]),
      ...(known === undefined ? [] : ['--static-oauth-client-info', JSON.stringify({ client_id: known })]),
    ],
    env: {
      MCP_REMOTE_CONFIG_DIR: folder,
      PATH: '/usr/bin:/bin',
      HOME: folder,
      BROWSER: '/bin/true',
      ...relay,
    },
    stderr: 'pipe',
  });
  const lines = createInterface({ input: transport.stderr as Readable });
  const [visited, said]: [URL[], string[]] = [[], []];
  const person = typeof user === 'string' ? new Person(user) : user;
  const signIn = async (url: URL) => {
    visited.push(url);
    const back = await person.signIn(url);
    // It shows the address before it listens for the answer, and this person is quicker than others. The line that
    // says that it listens may come while a visit fails, so a visit counts the lines from its begin.
    for (let seen = said.length; !(await visit(back)); seen = said.length)
      if (said.length === seen) await once(lines, 'line');
  };
  lines.on('line', (line) => {
    said.push(line);
    const page = /^(http:\/\/127\.0\.0\.1:\d+\/auth\?\S+)$/.exec(line)?.[1];
    if (page !== undefined)
      signIn(new URL(page)).catch((error: Error) => said.push(`person: ${error.message}`));
  });
  const client = new Client({ name: 'host', version: '1.0.0' });
  const options = { timeout: patienceMs };
  await client.connect(transport, options).catch(async (error: Error) => {
    await transport.close();
    rmSync(folder, { recursive: true });
    throw new Error(`${error.message}\n${said.join('\n')}`);
  });
  return {
    visited,
    said,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name) =>
      client.callTool({ name, arguments: {} }, undefined, options).then(
        ({ content }) => (content as { text: string }[]).map(({ text }) => text).join(''),
        (error: Error) =>
          /timed out/.test(error.message) ? [error.message, ...said].join('\n') : error.message,
      ),
    async close() {
      await client.close();
      rmSync(folder, { recursive: true });
    },
  };
}
