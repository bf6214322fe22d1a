import { gzipSync } from 'node:zlib';
import { DevConsole, Hub, type ConsoleEvent } from '../src/index.js';

const traceId = '5b8efff798038103d269b633813fc60c';
const body = {
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: [
            {
              traceId,
              spanId: 'eee19b7ec3c1b174',
              name: 'SELECT',
              kind: 3,
              startTimeUnixNano: '1544712660000000000',
              endTimeUnixNano: '1544712661000000000',
            },
          ],
        },
      ],
    },
  ],
};

describe('the receiver of spans', () => {
  let hub: Hub;
  let console: DevConsole;
  let page: string;
  let events: ConsoleEvent[];

  beforeEach(async () => {
    hub = new Hub({
      access: ['read'],
      askInside: () => Promise.reject(new Error('no')),
      overview: () => null!,
    });
    console = new DevConsole(hub);
    page = await console.listen();
    events = [];
    hub.subscribe((event) => void events.push(event));
  });

  afterEach(() => console.close());

  const send = (
    text: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
    method = 'POST',
  ) => {
    const { spanEnvironment: env } = console;
    const [name, token] = env['OTEL_EXPORTER_OTLP_TRACES_HEADERS']!.split('=');
    return fetch(env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']!, {
      method,
      headers: { 'content-type': 'application/json', [name!]: token!, ...headers },
      ...(method === 'POST' && { body: text }),
    });
  };

  it('takes a batch, and tells of its traces', async () => {
    const answer = await send(JSON.stringify(body));
    expect([answer.status, await answer.json()]).toEqual([200, {}]);
    expect(events).toEqual([{ type: 'spans', traceIds: [traceId] }]);
    expect(await hub.ask('spans', { traceId })).toMatchObject([{ name: 'SELECT', kind: 'client' }]);
    expect(await hub.ask('spans', { traceId: 'another' })).toEqual([]);
  });

  it('takes a packed batch', async () => {
    const answer = await send(gzipSync(JSON.stringify(body)), { 'content-encoding': 'gzip' });
    expect(answer.status).toBe(200);
    expect(events).toHaveLength(1);
  });

  it('tells the exporter how many spans it left out', async () => {
    const answer = await send(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{}] }] }] }));
    expect(await answer.json()).toEqual({ partialSuccess: { rejectedSpans: '1' } });
    expect(events).toEqual([]);
  });

  it('refuses a body that unpacks to more than the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    expect(bomb.length).toBeLessThan(100_000);
    expect((await send(bomb, { 'content-encoding': 'gzip' })).status).toBe(413);
  });

  it.each([
    ['no JSON', '{', {}, 400],
    ['no gzip', 'plain', { 'content-encoding': 'gzip' }, 400],
    ['protocol buffers', 'x', { 'content-type': 'application/x-protobuf' }, 415],
    ['a token of another run', '{}', { 'x-toolwright-spans': 'guess' }, 401],
    ['a page of another origin', '{}', { origin: 'https://evil.example' }, 403],
  ])('refuses %s', async (_what, text, headers, status) => {
    expect((await send(text, headers)).status).toBe(status);
    expect(events).toEqual([]);
  });

  it('takes nothing but POST', async () => {
    expect((await send('', {}, 'GET')).status).toBe(405);
  });

  it('has a token that opens nothing else', async () => {
    const token = console.spanEnvironment['OTEL_EXPORTER_OTLP_TRACES_HEADERS']!.split('=')[1]!;
    const url = new URL(page);
    expect(url.searchParams.get('token')).not.toBe(token);
    url.searchParams.set('token', token);
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(401);
  });
});
