// A server in a process of its own, which a test can kill. Node.js 20 runs no TypeScript, so it is a text.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type KillableKind = 'stdio' | 'HTTP with sessions' | 'HTTP of 2026-07-28';

const packages = join(__dirname, '../../..');
const sdk = join(require.resolve('@modelcontextprotocol/sdk/server/mcp.js'), '..', '..');
const zod = require.resolve('zod');

/** Each call takes a moment, so that some are always in flight. */
const official = `
const { McpServer } = require('${sdk}/server/mcp.js');
const { z } = require('${zod}');
const later = () => new Promise((resolve) => setTimeout(resolve, 5));
const make = () => {
  const server = new McpServer({ name: 'killable', version: '1.0.0' });
  const options = { description: 'Echo.', annotations: { idempotentHint: true }, inputSchema: { text: z.string() } };
  server.registerTool('echo', options, async ({ text }) => (await later(), { content: [{ type: 'text', text }] }));
  return server;
};`;

const sources: Record<KillableKind, string> = {
  stdio: `${official}
const { StdioServerTransport } = require('${sdk}/server/stdio.js');
void make().connect(new StdioServerTransport());`,
  'HTTP with sessions': `${official}
const { StreamableHTTPServerTransport } = require('${sdk}/server/streamableHttp.js');
const { randomUUID } = require('node:crypto');
const sessions = new Map();
const http = require('node:http').createServer(async (req, res) => {
  const id = req.headers['mcp-session-id'];
  let transport = sessions.get(id);
  if (id !== undefined && !transport) return res.writeHead(404).end('Session not found');
  if (!transport) {
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (made) => sessions.set(made, transport),
      onsessionclosed: (ended) => sessions.delete(ended),
    });
    await make().connect(transport);
  }
  await transport.handleRequest(req, res);
});
process.stdin.once('data', (port) =>
  http.listen(Number(port), '127.0.0.1', () => console.log(http.address().port)),
);
console.log('loaded');`,
  'HTTP of 2026-07-28': `
const { createMcpServer } = require('${packages}/core');
const { serveHttp } = require('${packages}/http');
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const options = { name: 'killable', version: '1.0.0', services: [], audit: false, rateLimit: false, logger };
createMcpServer({ ...options, concurrency: false }).then(async (server) => {
  server.tools.add({
    name: 'echo',
    description: 'Echo.',
    annotations: { idempotentHint: true },
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    handler: async ({ text }) => (await new Promise((resolve) => setTimeout(resolve, 5)), text),
  });
  process.stdin.once('data', async (wanted) => {
    const { port } = await serveHttp(server, { port: Number(wanted), signals: false });
    console.log(port);
  });
  console.log('loaded');
});`,
};

function fileOf(kind: KillableKind): string {
  const file = join(mkdtempSync(join(tmpdir(), 'killable-')), 'server.cjs');
  writeFileSync(file, sources[kind]);
  return file;
}

/** What a mount of it needs over stdio: the mount starts its processes itself. */
export const overStdio = () => ({ command: process.execPath, args: [fileOf('stdio')] });

/** A server over HTTP that comes back on its port after it was killed. */
export class KillableUpstream {
  readonly #file: string;
  #child: ChildProcess | undefined;
  /** It has loaded its packages already, so that an outage is short on a busy machine, too. */
  #next: Promise<ChildProcess>;
  #port = 0;

  constructor(kind: KillableKind) {
    this.#file = fileOf(kind);
    this.#next = this.#load();
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/mcp`;
  }

  async start(): Promise<void> {
    const child = (this.#child = await this.#next);
    child.stdin!.write(String(this.#port));
    this.#port = Number(await lineOf(child));
    this.#next = this.#load();
  }

  /** Kills it, and starts it again. */
  async restart(): Promise<void> {
    await this.#next;
    await kill(this.#child!);
    await this.start();
  }

  async close(): Promise<void> {
    await Promise.all([kill(this.#child!), this.#next.then(kill)]);
  }

  async #load(): Promise<ChildProcess> {
    const child = spawn(process.execPath, [this.#file], { stdio: ['pipe', 'pipe', 'inherit'] });
    await lineOf(child);
    return child;
  }
}

async function lineOf({ stdout }: ChildProcess): Promise<string> {
  const [line] = (await once(stdout!, 'data')) as [Buffer];
  return line.toString();
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
