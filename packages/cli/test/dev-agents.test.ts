import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { DevProcess } from './support/dev-process.js';
import { DevProject } from './support/dev-project.js';
import { programs } from './support/project-folder.js';

let project: DevProject;
let dev: DevProcess | undefined;
const clients = closedAfterEach<Client>();

// A dev takes seconds to start. So the tests share one and its project, in this order.
beforeAll(() => {
  project = new DevProject();
  addEraseTools();
});

afterAll(async () => {
  await dev?.stop('SIGKILL');
  project.remove();
});

const runFiles = () => join(project.folder, '.runtime/toolwright');
const runFile = () =>
  join(
    runFiles(),
    readdirSync(runFiles()).find((name) => name.endsWith('.json'))!,
  );
const bridge = () => ({
  command: process.execPath,
  args: [programs.toolwright, 'dev', '--mcp'],
  cwd: project.folder,
  env: { ...process.env, XDG_RUNTIME_DIR: join(project.folder, '.runtime') } as Record<string, string>,
});

async function startDev(...args: string[]): Promise<DevProcess> {
  dev = new DevProcess(project, ...args);
  await dev.url();
  return dev;
}

/** A coding agent: the official client, which starts the bridge. */
async function agent(): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1.0.0' });
  clients.push(client);
  await client.connect(new StdioClientTransport({ ...bridge(), stderr: 'ignore' }));
  return client;
}

async function use(client: Client, name: string, args: Record<string, unknown> = {}): Promise<any> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const { text } = content[0] as { text: string };
  return isError ? { refusal: text } : JSON.parse(text);
}

/** Runs the bridge until it ends. */
async function refused(...more: string[]): Promise<{ code: number; said: string; wrote: string }> {
  const { command, args, ...options } = bridge();
  const child = spawn(command, [...args, ...more], { ...options, stdio: 'pipe' });
  let said = '';
  let wrote = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => (wrote += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, said, wrote };
}

const hello = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'agent', version: '1.0.0' },
};

const asks = `
import { Confirm, McpService, McpTool, ToolContext } from '@toolwright/core';

@McpService()
export class EraseTools {
  /** Erase everything. */
  @McpTool({ annotations: { destructiveHint: true } })
  @Confirm('Erase everything?')
  erase(ctx: ToolContext): string {
    return \`erased for \${ctx.principal?.subject ?? 'nobody'}\`;
  }
}
`;

function addEraseTools(): void {
  project.write('src/erase-tools.ts', asks);
  project.edit('src/create-server.ts', '[NoteTools', '[EraseTools, NoteTools');
  project.edit('src/create-server.ts', 'import', "import { EraseTools } from './erase-tools.js';\nimport");
}

test('a bridge says that no dev runs', async () => {
  expect(await refused()).toMatchObject({
    code: 1,
    wrote: '',
    said: expect.stringMatching(
      /No "toolwright dev" works on .*Start it .*npx --no toolwright dev/,
    ) as string,
  });
});

test('end of input ends the bridge with 0, also when nothing was said', async () => {
  await startDev();
  const { command, args, ...options } = bridge();
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  expect(await once(child, 'close')).toEqual([0, null]);
});

test('agents come and go: twelve of them one after the other, and each bridge exits with 0', async () => {
  const { command, args, ...options } = bridge();
  for (let connection = 1; connection <= 12; connection++) {
    const child = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(child, 'close');
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })}\n`);
    const [answer] = (await once(child.stdout, 'data')) as [Buffer];
    expect([connection, answer.toString()]).toEqual([connection, expect.stringContaining('toolwright-dev')]);
    child.stdin.end();
    expect([connection, await ended]).toEqual([connection, [0, null]]);
  }
});

test('an agent plays nobody and answers nothing for the person, unless the person lets it act', async () => {
  const client = await agent();
  const as = { subject: 'ann', scopes: [] };
  expect((await use(client, 'call_tool', { tool: 'erase', as })).refusal).toContain('as');
  const asked = await use(client, 'call_tool', { tool: 'erase' });
  expect(asked).toMatchObject({ state: 'asking', questions: [{ method: 'elicitation/create' }] });
  const answer = { call: asked.id, question: asked.questions[0].id, answer: { action: 'accept' } };
  const refusal = await client.callTool({ name: 'answer_question', arguments: answer }).then(
    ({ isError }) => isError,
    () => true,
  );
  expect(refusal).toBe(true);
  expect(JSON.stringify(await use(client, 'read_calls'))).not.toContain('erased for');
  const said = await refused('--agents-act');
  expect(said).toMatchObject({ code: 1, wrote: '' });
  expect(said.said).toContain('--agents-act');
});

test('nobody gets in without the secret of the run, which only its owner can read', async () => {
  const { port, token } = JSON.parse(readFileSync(runFile(), 'utf8')) as { port: number; token: string };
  expect(statSync(runFile()).mode & 0o777).toBe(0o600);
  expect(statSync(runFiles()).mode & 0o777).toBe(0o700);
  expect(dev!.printed + dev!.stdout).not.toContain(token);
  const status = (headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const sent = request({
        host: '127.0.0.1',
        port,
        agent: false,
        headers: { connection: 'Upgrade', ...headers },
      });
      sent.once('response', (answer) => resolve(answer.statusCode!));
      sent.once('upgrade', () => resolve(101));
      sent.once('error', reject).end();
    });
  const upgrade = 'toolwright-dev';
  expect(await status({ upgrade })).toBe(401);
  expect(await status({ upgrade, authorization: `Bearer ${token}` })).toBe(401);
  expect(await status({ upgrade, authorization: `Toolwright ${'A'.repeat(32)} ${'A'.repeat(43)}` })).toBe(
    401,
  );
  expect(await status({ upgrade, origin: `http://127.0.0.1:${port}` })).toBe(403);

  chmodSync(runFile(), 0o644);
  expect(await refused()).toMatchObject({
    code: 1,
    said: expect.stringContaining('Others may open') as string,
  });
  const path = runFile();
  rmSync(path);
  writeFileSync(`${path}.real`, JSON.stringify({ pid: 1, port, token }), { mode: 0o600 });
  symlinkSync(`${path}.real`, path);
  expect(await refused()).toMatchObject({
    code: 1,
    said: expect.stringContaining('is a link, so it is not trusted') as string,
  });
  rmSync(path);
  renameSync(`${path}.real`, path);
});

test('a bridge says what is wrong: a dev that died, and a stranger on its port', async () => {
  await dev!.stop('SIGKILL');
  expect(await refused()).toMatchObject({
    code: 1,
    wrote: '',
    said: expect.stringContaining('has ended without cleaning up') as string,
  });

  // It answers everybody, and knows nothing. It must not learn the token, nor be believed.
  let heard = '';
  const stranger = createServer().on('upgrade', (req, socket) => {
    heard = JSON.stringify(req.headers);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: toolwright-dev\r\n');
    socket.write(`toolwright-proof: ${'A'.repeat(43)}\r\n\r\n{"jsonrpc":"2.0"}\n`);
  });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  const { port } = stranger.address() as AddressInfo;
  const path = runFile();
  const { token } = JSON.parse(readFileSync(path, 'utf8')) as { token: string };
  writeFileSync(path, JSON.stringify({ pid: 1, port, token }));
  expect(await refused()).toMatchObject({ code: 1, wrote: '' });
  expect(heard).toContain('Toolwright ');
  expect(heard).not.toContain(token);
  stranger.closeAllConnections();
  stranger.close();
});

test('an agent that may act calls as anybody, and answers in place of the person', async () => {
  await startDev('--agents-act');
  const client = await agent();
  const asked = await use(client, 'call_tool', { tool: 'erase', as: { subject: 'ann', scopes: [] } });
  const { id } = asked.questions[0];
  const answer = { action: 'accept', content: { confirm: true } };
  const ended = await use(client, 'answer_question', { call: asked.id, question: id, answer });
  expect(JSON.stringify(ended.result)).toContain('erased for ann');
  expect(await use(client, 'follow_call', { call: asked.id })).toMatchObject({ state: 'ended' });
  await dev!.stop();
});

test('an agent sees what its edits do to the running server', async () => {
  await startDev();
  const client = await agent();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'app_status',
    'call_tool',
    'explain_tool',
    'follow_call',
    'list_tools',
    'read_calls',
    'read_problems',
    'read_traffic',
  ]);
  expect(await use(client, 'app_status')).toMatchObject({ app: 'running', servers: [{ id: 'desk' }] });

  const called = await use(client, 'call_tool', { tool: 'find_notes', arguments: { query: 'milk' } });
  expect(called).toMatchObject({ state: 'ended', result: { structuredContent: { texts: ['<Buy milk.>'] } } });
  expect(called.traced.map(({ name }: { name: string }) => name)).toContain('validate');
  const wrong = await use(client, 'call_tool', { tool: 'find_notes', arguments: {} });
  expect(wrong.result).toMatchObject({ isError: true });

  project.edit('src/note-tools.ts', 'Find notes.', 'Look for notes.');
  await dev!.says(/replaced NoteTools/);
  const { operations } = await use(client, 'list_tools');
  expect(operations.find(({ key }: { key: string }) => key === 'find_notes').listed.description).toMatch(
    /^Look for/,
  );
  expect((await use(client, 'read_calls', { limit: 50 })).calls).not.toHaveLength(0);
  const { messages } = await use(client, 'read_traffic');
  expect(messages.map(({ record }: any) => record.message.method)).toContain('tools/call');
  expect(await use(client, 'call_tool', { tool: 'find_notes', server: 'other' })).toEqual({
    refusal: expect.stringContaining('There is no server "other"') as string,
  });

  const { port } = JSON.parse(readFileSync(runFile(), 'utf8')) as { port: number };
  await dev!.stop();
  expect(readdirSync(runFiles())).toEqual([]);
  expect(port).toBeGreaterThan(0);
});
