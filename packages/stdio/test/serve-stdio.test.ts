import { PassThrough } from 'node:stream';
import { createMcpServer, type McpServer } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { until } from '../../../.ci/test/support/until.js';
import { serveStdio, type ServeStdioOptions, type StdioService } from '../src/index.js';

type Message = any;

/** The far end of a stdio connection. */
class Peer {
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly lines: string[] = [];
  service!: StdioService;
  #rest = '';
  #wake: (() => void)[] = [];

  constructor(readonly server: McpServer) {
    this.output.on('data', (chunk: Buffer) => {
      const lines = (this.#rest + chunk.toString()).split('\n');
      this.#rest = lines.pop()!;
      this.lines.push(...lines);
      for (const wake of this.#wake.splice(0)) wake();
    });
  }

  static async connect(options: ServeStdioOptions = {}): Promise<Peer> {
    const peer = new Peer(await createServer());
    peer.service = await serveStdio(peer.server, { input: peer.input, output: peer.output, ...options });
    return peer;
  }

  send(message: unknown): void {
    this.input.write(`${JSON.stringify(message)}\n`);
  }

  async message(count: number): Promise<Message> {
    while (this.lines.length < count) await new Promise<void>((resolve) => this.#wake.push(resolve));
    return JSON.parse(this.lines[count - 1]!);
  }
}

const started: string[] = [];
const aborted: string[] = [];

async function createServer(): Promise<McpServer> {
  const server = await createMcpServer({
    name: 'fixture',
    version: '1',
    services: [],
    logger: silentLogger,
  });
  server.tools.add({
    name: 'echo',
    description: 'Says it again.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    handler: ({ text }) => text,
  });
  server.tools.add({
    name: 'hang',
    description: 'Waits until it is given up.',
    inputSchema: { type: 'object', properties: { label: { type: 'string' } } },
    handler: ({ label }, { signal }) =>
      new Promise((_resolve, reject) => {
        started.push(label as string);
        signal.addEventListener('abort', () => {
          aborted.push(label as string);
          reject(new Error('aborted'));
        });
      }),
  });
  return server;
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const modern = (method: string, params: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params, _meta: meta },
});
const legacy = (method: string, params: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const initialize = (version = '2025-11-25') =>
  legacy('initialize', {
    protocolVersion: version,
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  });

test('S1 there is one message per line, and nothing else', async () => {
  const peer = await Peer.connect();
  peer.send(modern('tools/call', { name: 'echo', arguments: { text: 'two\nlines' } }));
  expect((await peer.message(1)).result.content[0].text).toBe('two\nlines');
  expect(peer.lines).toHaveLength(1);
});

test('S7 parse errors are answered without an id, and the connection continues', async () => {
  const peer = await Peer.connect();
  peer.input.write('{\n\r\n   \n');
  expect(await peer.message(1)).toEqual({
    jsonrpc: '2.0',
    error: { code: -32700, message: expect.any(String) },
  });
  peer.input.write(Buffer.from([0x22, 0xc3, 0x28, 0x22, 0x0a]));
  expect((await peer.message(2)).error.code).toBe(-32700);
  peer.send(modern('server/discover'));
  expect((await peer.message(3)).result.resultType).toBe('complete');
});

test('S7 chunks may end anywhere, and lines may end with CR LF', async () => {
  const peer = await Peer.connect();
  const line = Buffer.from(
    `${JSON.stringify(modern('tools/call', { name: 'echo', arguments: { text: 'é€😀' } }))}\r\n`,
  );
  for (const byte of line) peer.input.write(Buffer.from([byte]));
  expect((await peer.message(1)).result.content[0].text).toBe('é€😀');
});

test('S7 a line that is too long is skipped and reported', async () => {
  const peer = await Peer.connect({ maxLineBytes: 1000 });
  peer.input.write('x'.repeat(5000));
  peer.input.write('x'.repeat(5000));
  peer.input.write('\n');
  expect((await peer.message(1)).error.code).toBe(-32700);
  peer.send(modern('tools/list'));
  expect((await peer.message(2)).id).toBe(1);
});

test('S4 a cancelled request is never answered', async () => {
  const peer = await Peer.connect();
  peer.send(modern('tools/call', { name: 'hang', arguments: { label: 'cancelled' } }, 'h'));
  peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'h' } });
  peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'never' } });
  peer.send(modern('tools/list', {}, 'after'));
  expect((await peer.message(1)).id).toBe('after');
  expect(peer.lines).toHaveLength(1);
});

test('S5 the server ends with its input, and cancels what still runs after the grace period', async () => {
  const peer = await Peer.connect({ grace: 0 });
  peer.send(modern('tools/call', { name: 'hang', arguments: { label: 'eof' } }));
  await until(() => started.includes('eof'));
  peer.input.end();
  await peer.service.closed;
  expect(aborted).toContain('eof');
});

test('S5 requests before the end of input are answered', async () => {
  const peer = await Peer.connect();
  peer.input.end(JSON.stringify(modern('tools/call', { name: 'echo', arguments: { text: 'last' } })));
  await peer.service.closed;
  expect((await peer.message(1)).result.content[0].text).toBe('last');
});

test('S6 listen shares the channel: confirmed first, marked with its id, cancelled by the client', async () => {
  const peer = await Peer.connect();
  peer.send(modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, 'l'));
  expect((await peer.message(1)).method).toBe('notifications/subscriptions/acknowledged');
  peer.server.tools.add({ name: 'late', description: 'Late.', handler: () => 'x' });
  expect(await peer.message(2)).toMatchObject({
    method: 'notifications/tools/list_changed',
    params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 'l' } },
  });
  peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'l' } });
  peer.send(modern('tools/list', {}, 'after'));
  await peer.message(3);
  peer.server.tools.remove('late');
  peer.send(modern('tools/list', {}, 'last'));
  expect((await peer.message(4)).id).toBe('last');
});

test('CA2 a proper end completes the subscription', async () => {
  const peer = await Peer.connect();
  peer.send(modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, 'l'));
  await peer.message(1);
  await peer.service.close();
  expect(await peer.message(2)).toMatchObject({ id: 'l', result: { resultType: 'complete' } });
  expect(peer.lines).toHaveLength(2);
});

test('B6 notifications are never answered, and neither are malformed ones and errors without an id', async () => {
  const peer = await Peer.connect();
  peer.send({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'unreadable' } });
  peer.send({ jsonrpc: '2.0', error: { code: -32700, message: 'unreadable' } });
  peer.send({ jsonrpc: '2.0', method: 'notifications/unknown', params: [] });
  peer.send({
    jsonrpc: '2.0',
    method: 'notifications/x',
    params: { _meta: { 'io.modelcontextprotocol/protocolVersion': 5 } },
  });
  peer.send(modern('tools/list', {}, 'after'));
  expect((await peer.message(1)).id).toBe('after');
});

test('a discover request decides no era, initialize decides the older one', async () => {
  const peer = await Peer.connect();
  peer.send(modern('server/discover', {}, 'probe'));
  await peer.message(1);
  peer.send(initialize());
  expect((await peer.message(2)).result.protocolVersion).toBe('2025-11-25');
  peer.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  peer.send(legacy('tools/call', { name: 'echo', arguments: { text: 'x' } }, 2));
  expect((await peer.message(3)).result).not.toHaveProperty('resultType');
  peer.server.tools.add({ name: 'late', description: 'Late.', handler: () => 'x' });
  expect(await peer.message(4)).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  peer.send(initialize());
  expect((await peer.message(5)).result.protocolVersion).toBe('2025-11-25');
});

test('a request with an envelope decides the stateless era', async () => {
  const peer = await Peer.connect();
  peer.send(modern('tools/list'));
  await peer.message(1);
  peer.send(initialize());
  expect((await peer.message(2)).error).toMatchObject({
    code: -32022,
    data: { supported: ['2026-07-28'], requested: '2025-11-25' },
  });
  peer.send(legacy('tools/list'));
  expect((await peer.message(3)).error.code).toBe(-32602);
});

test('an unsupported version decides nothing', async () => {
  const peer = await Peer.connect();
  const claimed = modern('tools/list');
  peer.send({
    ...claimed,
    params: { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': 'v999' } },
  });
  expect((await peer.message(1)).error.code).toBe(-32022);
  peer.send(initialize());
  expect((await peer.message(2)).result).toBeDefined();
});

test('before initialize only ping is answered', async () => {
  const peer = await Peer.connect();
  peer.send(legacy('ping'));
  expect((await peer.message(1)).result).toEqual({});
  peer.send(legacy('tools/list'));
  expect((await peer.message(2)).error.code).toBe(-32600);
});

test('2025-03-26 accepts a batch, and answers with one batch', async () => {
  const peer = await Peer.connect();
  peer.send(initialize('2025-03-26'));
  await peer.message(1);
  peer.send([
    legacy('ping', {}, 'a'),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    legacy('tools/list', {}, 'b'),
  ]);
  expect((await peer.message(2)).map(({ id }: Message) => id)).toEqual(['a', 'b']);
});
