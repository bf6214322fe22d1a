import { McpService, McpTool, ToolContext, type ServerOptions } from '@toolwright/core';
import { handMadeManifest } from '../../../core/test/packages/hand-made-manifest.js';
import { serveHttp, type HttpService, type ServeHttpOptions } from '../../src/index.js';
import { createFixture } from '../support/fixture.js';
import { initialize, LegacyClient } from '../support/legacy-client.js';
import { LiveStream } from '../support/live-stream.js';
import { ManualClock } from '@toolwright/testing';
import { send } from '../support/wire.js';

const disposed: string[] = [];

@McpService({ scope: 'session' })
class Notes {
  private readonly notes: string[] = [];
  @McpTool()
  note(text: string, ctx: ToolContext): string {
    this.notes.push(text);
    return `${this.notes.join()} of ${ctx.sessionId}`;
  }
  onDispose(): void {
    disposed.push(this.notes.join());
  }
}

const manifest = handMadeManifest({
  file: 'src/notes.ts',
  name: 'Notes',
  methods: { note: ['text', 'ctx'] },
});
const [entry] = manifest.entries;
entry!.parameters[1] = { name: 'ctx', kind: 'inject', inject: 'ToolContext' };
manifest.schemas[entry!.input] = {
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
};

const clock = new ManualClock();
let service: HttpService;

async function serve(
  options: Partial<ServerOptions> = {},
  http: Partial<ServeHttpOptions> = {},
): Promise<void> {
  const { server } = await createFixture({ services: [Notes], manifest, ports: { clock }, ...options });
  service = await serveHttp(server, { ...http, port: 0, signals: false });
}

beforeEach(() => void disposed.splice(0));
afterEach(() => service.close());

const connect = () => LegacyClient.connect(service.url, '2025-11-25');
const note = async (client: LegacyClient, text: string) =>
  (await client.call('note', { text })).json.result.content[0].text as string;
const settle = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('a method sees its Mcp-Session-Id, and DELETE disposes the instances of that session', async () => {
  await serve();
  const [one, two] = [await connect(), await connect()];
  expect(await note(one, 'a')).toBe(`a of ${one.session}`);
  expect(await note(two, 'x')).toBe(`x of ${two.session}`);
  await send(service.url, { method: 'DELETE', headers: one.headers });
  await settle();
  expect(disposed).toEqual(['a']);
  expect(await note(two, 'y')).toContain('x,y');
});

test('when an unused session expires, its instances are disposed', async () => {
  await serve({ sessions: { idle: 1000 } });
  await note(await connect(), 'a');
  clock.advance(1000);
  await settle();
  expect(disposed).toEqual(['a']);
});

test('when a session loses its place to another, its instances are disposed', async () => {
  await serve({ sessions: { maxAnonymous: 1 } });
  await note(await connect(), 'a');
  expect(await note(await connect(), 'x')).toContain('x of');
  expect(disposed).toEqual(['a']);
});

test('when a server closes, the instances of its sessions are disposed', async () => {
  await serve();
  await note(await connect(), 'a');
  await service.close();
  expect(disposed).toEqual(['a']);
});

test('a stream of HTTP+SSE is a session, which ends with the stream', async () => {
  await serve({}, { sse: true });
  const stream = await LiveStream.open(service.url, { method: 'GET' });
  const { data: path } = await stream.event(1);
  await send(service.url, { path, body: initialize('2024-11-05') });
  await stream.event(2);
  const params = { name: 'note', arguments: { text: 'a' } };
  await send(service.url, { path, body: { jsonrpc: '2.0', id: 2, method: 'tools/call', params } });
  expect((await stream.event(3)).message.result.content[0].text).toMatch(/^a of [0-9a-f]{32}$/);
  stream.close();
  while (disposed.length === 0) await settle();
  expect(disposed).toEqual(['a']);
});

test('where sessions are switched off, the answer says that there are none', async () => {
  await serve({ sessions: false });
  const params = { name: 'note', arguments: { text: 'a' } };
  const { result } = (
    await send(service.url, { body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } })
  ).json;
  expect(result.isError).toBe(true);
  expect(result.content[0].text).toContain('option sessions: false');
});
