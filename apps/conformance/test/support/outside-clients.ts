import { Client as V2Client, StreamableHTTPClientTransport as V2Http } from '@modelcontextprotocol/client';
import { StdioClientTransport as V2Stdio } from '@modelcontextprotocol/client/stdio';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as V1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { inspectorCli, newerNode, runReferee } from './referees.js';

type Params = Record<string, unknown>;

/** What all clients have in common. */
export interface OutsideClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  callTool(params: { name: string; arguments: Params }): Promise<unknown>;
  readResource(params: { uri: string }): Promise<unknown>;
  getPrompt(params: { name: string }): Promise<unknown>;
  close(): Promise<void>;
}

/** Where a gateway is: over HTTP, and as a script that speaks over stdio. */
export interface Place {
  readonly url: string;
  readonly script: string;
  readonly folder: string;
}

const info = { name: 'client', version: '1.0.0' };
const modules = join(__dirname, '../../../proof/node_modules');
const overNode = ({ script }: Place) => ({
  command: process.execPath,
  args: [script],
  stderr: 'ignore' as const,
});

async function v1(transport: V1Http | V1Stdio): Promise<OutsideClient> {
  const client = new V1Client(info);
  await client.connect(transport);
  return client as never;
}

async function v2(
  transport: V2Http | V2Stdio,
  mode: 'auto' | 'legacy' | { pin: string },
): Promise<OutsideClient> {
  const client = new V2Client(info, { versionNegotiation: { mode: mode as 'auto' } });
  await client.connect(transport);
  return client as never;
}

/** A client of which only requests are known. */
function bare(request: (method: string, params: Params) => Promise<unknown>, close = async () => undefined) {
  return {
    listTools: () => request('tools/list', {}),
    listResources: () => request('resources/list', {}),
    listPrompts: () => request('prompts/list', {}),
    callTool: (params: Params) => request('tools/call', params),
    readResource: (params: Params) => request('resources/read', params),
    getPrompt: (params: Params) => request('prompts/get', params),
    close,
  } as OutsideClient;
}

interface Answer {
  readonly id?: unknown;
  readonly result?: Params;
  readonly error?: { message: string };
}

function resultOf({ result, error }: Answer): Params {
  if (!result) throw new Error(error?.message ?? 'There is no result.');
  return result;
}

const opening = (protocolVersion: string) => ({ protocolVersion, capabilities: {}, clientInfo: info });

/** Requests of HTTP by hand, of a revision with a handshake. */
async function rawHttp({ url }: Place, revision: string): Promise<OutsideClient> {
  let session: string | null = null;
  let id = 0;
  const post = async (message: object) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session !== null && { 'mcp-session-id': session, 'mcp-protocol-version': revision }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
    session ??= response.headers.get('mcp-session-id');
    return response.text();
  };
  const request = async (method: string, params: Params) =>
    resultOf(answerIn(await post({ id: ++id, method, params }), id));
  expect(await request('initialize', opening(revision))).toMatchObject({ protocolVersion: revision });
  await post({ method: 'notifications/initialized' });
  return bare(request);
}

/** The same without a handshake. */
function rawStateless({ url }: Place): Promise<OutsideClient> {
  let id = 0;
  const request = async (method: string, params: Params) => {
    const name = params['name'] ?? params['uri'];
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(name !== undefined && { 'mcp-name': String(name) }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: ++id,
        method,
        params: {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': info,
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    });
    return resultOf(answerIn(await response.text(), id));
  };
  return Promise.resolve(bare(request));
}

/** An answer is the body, or an event of it. */
function answerIn(body: string, id: number): Answer {
  const texts = body.startsWith('{')
    ? [body]
    : [...body.matchAll(/^data: (\{.*)$/gm)].map(([, text]) => text!);
  return texts.map((text) => JSON.parse(text) as Answer).find((each) => each.id === id) ?? {};
}

/** Lines by hand. */
async function rawStdio(place: Place, revision: string): Promise<OutsideClient> {
  const transport = new V1Stdio(overNode(place));
  const waiting = new Map<unknown, (answer: Answer) => void>();
  transport.onmessage = (message) => waiting.get((message as Answer).id)?.(message as Answer);
  await transport.start();
  let id = 0;
  const request = async (method: string, params: Params) => {
    const answered = new Promise<Answer>((resolve) => waiting.set(++id, resolve));
    await transport.send({ jsonrpc: '2.0', id, method, params });
    return resultOf(await answered);
  };
  expect(await request('initialize', opening(revision))).toMatchObject({ protocolVersion: revision });
  await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return bare(request, () => transport.close() as Promise<undefined>);
}

/** Each request is a run of the official inspector. */
function inspector(target: readonly string[]): Promise<OutsideClient> {
  const request = async (method: string, params: Params) => {
    const values = Object.entries((params['arguments'] ?? {}) as Params).flatMap(([name, value]) => [
      '--tool-arg',
      `${name}=${String(value)}`,
    ]);
    const named = {
      'tools/call': ['--tool-name', String(params['name']), ...values],
      'prompts/get': ['--prompt-name', String(params['name'])],
      'resources/read': ['--uri', String(params['uri'])],
    }[method];
    const { code, output } = await runReferee(
      [inspectorCli, '--cli', ...target, '--method', method, ...(named ?? [])],
      { node: process.execPath },
    );
    if (code !== 0) throw new Error(output);
    return JSON.parse(output.slice(output.indexOf('{'))) as unknown;
  };
  return Promise.resolve(bare(request));
}

interface AiSdk {
  readonly name: '@ai-sdk/mcp' | 'ai-sdk-mcp-1';
  readonly node: string;
  readonly revision: '2025-11-25' | '2026-07-28';
}

/** The client of the AI SDK is a process of its own: its newer version needs a newer Node.js. */
async function aiSdk({ url }: Place, { name, node, revision }: AiSdk): Promise<OutsideClient> {
  const script = join(modules, '../test/fixtures/ai-sdk-client.mjs');
  const child = spawn(node, [script, name, url, String(revision === '2026-07-28')], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  // The test asks for one thing after the other.
  const request = async (method: string, params: Params) => {
    child.stdin.write(`${JSON.stringify({ id: 1, method, params })}\n`);
    const { value } = (await lines.next()) as { value?: string };
    return resultOf(JSON.parse(value ?? '{}') as Answer);
  };
  expect(await request('initialize', {})).toMatchObject(
    name === '@ai-sdk/mcp' ? { protocolVersion: revision } : {},
  );
  return bare(request, async () => {
    child.stdin.end();
    await once(child, 'exit');
    return undefined;
  });
}

/** Revisions before 2025-06-18 have no structured results. Their clients get the same as text. */
export const knowsNoStructure = (name: string) => /2024-11-05|2025-03-26/.test(name);

/** The first four are the sample of `pnpm check:all`. */
export const outsideClients: Readonly<Record<string, (place: Place) => Promise<OutsideClient>>> = {
  'SDK v1': ({ url }) => v1(new V1Http(new URL(url))),
  'SDK v2 on 2026-07-28': ({ url }) => v2(new V2Http(new URL(url)), { pin: '2026-07-28' }),
  'SDK v2 on an older revision': ({ url }) => v2(new V2Http(new URL(url)), 'legacy'),
  'mcp-remote': ({ url, folder }) => {
    const args = [join(modules, 'mcp-remote/dist/proxy.js'), url, '--allow-http', '--transport', 'http-only'];
    const env = { PATH: process.env.PATH!, HOME: folder, MCP_REMOTE_CONFIG_DIR: folder };
    return v1(new V1Stdio({ command: process.execPath, args, env, stderr: 'ignore' }));
  },
  'SDK v2 that finds the revision': ({ url }) => v2(new V2Http(new URL(url)), 'auto'),
  'HTTP by hand, 2025-03-26': (place) => rawHttp(place, '2025-03-26'),
  'HTTP by hand, 2025-06-18': (place) => rawHttp(place, '2025-06-18'),
  'HTTP by hand, 2025-11-25': (place) => rawHttp(place, '2025-11-25'),
  'HTTP by hand, 2026-07-28': rawStateless,
  'the inspector': ({ url }) => inspector([url, '--transport', 'http']),
  'AI SDK 7, 2026-07-28': (place) =>
    aiSdk(place, { name: '@ai-sdk/mcp', node: newerNode(), revision: '2026-07-28' }),
  'AI SDK 7, an older revision': (place) =>
    aiSdk(place, { name: '@ai-sdk/mcp', node: newerNode(), revision: '2025-11-25' }),
  'AI SDK 6': (place) =>
    aiSdk(place, { name: 'ai-sdk-mcp-1', node: process.execPath, revision: '2025-11-25' }),
  'SDK v1 over stdio': (place) => v1(new V1Stdio(overNode(place))),
  'SDK v2 over stdio, 2026-07-28': (place) => v2(new V2Stdio(overNode(place)), { pin: '2026-07-28' }),
  'SDK v2 over stdio, an older revision': (place) => v2(new V2Stdio(overNode(place)), 'legacy'),
  'stdio by hand, 2024-11-05': (place) => rawStdio(place, '2024-11-05'),
  'the inspector over stdio': ({ script }) => inspector([process.execPath, script]),
};
