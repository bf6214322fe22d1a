import { request } from 'node:http';
import { ask, call, initialize, modern, old } from './support/ask.js';
import { missing, runtimes } from './support/runtimes.js';
import { start, type Started } from './support/start.js';

const ada = { name: 'Ada Lovelace', email: 'ada@example.com', since: '1815-12-10T00:00:00.000Z' };

if (missing.length > 0)
  test.each(missing)('%s: not tried, `pnpm proof:install` did not bring it', () => undefined);

describe.each(runtimes)('$name', ({ command, args, hasNoSessions, tellsLate }) => {
  let app: Started;
  beforeAll(async () => void (app = await start(command, args)));
  afterAll(() => app?.stop());

  test('lists tools with their schemas', async () => {
    const { status, messages } = await ask(app.url, 'tools/list');
    const { tools } = messages[0].result as { tools: { name: string; inputSchema: object }[] };
    expect([status, tools.length]).toEqual([200, 7]);
    const { inputSchema } = tools.find(({ name }) => name === 'findContacts')!;
    expect(inputSchema).toMatchObject({ properties: { words: { minLength: 2 } }, required: ['words'] });
  });

  test('calls a tool: a DTO and dates arrive, the result is written by its schema', async () => {
    const { structuredContent } = await call(app.url, 'addContact', ada);
    expect(structuredContent).toEqual({ ...ada, id: expect.any(String) });
    const found = await call(app.url, 'findContacts', { words: 'Love' });
    expect(found.structuredContent.contacts[0]).toMatchObject(ada);
  });

  test('refuses arguments that break the schema, and says which', async () => {
    const { isError, content } = await call(app.url, 'addContact', { ...ada, email: 'nowhere' });
    expect([isError, content[0].text]).toEqual([true, expect.stringContaining('email')]);
    const short = await call(app.url, 'findContacts', { words: 'x', limit: 0 });
    expect(short.content[0].text).toMatch(/words.*limit/s);
  });

  test('streams progress before the answer', async () => {
    const { headers, messages } = await ask(
      app.url,
      'tools/call',
      { name: 'countTo', arguments: { last: 3 } },
      { meta: { progressToken: 'p' } },
    );
    expect(headers.get('content-type')).toContain('text/event-stream');
    expect(messages.map(({ params, result }) => params?.message ?? result.content[0].text)).toEqual([
      'step 1',
      'step 2',
      'step 3',
      'counted to 3',
    ]);
  });

  const ways: [string, { progressToken?: string }][] = [['reads a stream', { progressToken: 'p' }]];
  if (!tellsLate) ways.push(['waits for JSON', {}]);
  test.each(ways)('a client that goes away while it %s cancels its call', async (_how, meta) => {
    const gone = async () => (await call(app.url, 'countGone')).structuredContent.gone as number;
    const before = await gone();
    const client = new AbortController();
    const { signal } = client;
    const params = { name: 'wait', arguments: {} };
    const answer = modern(app.url, 'tools/call', params, { meta, signal });
    if (meta.progressToken) await (await answer).body!.getReader().read();
    else await Promise.race([answer.catch(() => undefined), call(app.url, 'findContacts', { words: 'xx' })]);
    client.abort();
    await answer.catch(() => undefined);
    while ((await gone()) === before);
  });

  test('asks the user and goes on in the next round', async () => {
    const capabilities = { elicitation: { form: {} } };
    const first = await call(app.url, 'greet', {}, { capabilities });
    expect(first.resultType).toBe('input_required');
    const { requestState, inputRequests } = first;
    const [key] = Object.keys(inputRequests as object);
    const inputResponses = { [key!]: { action: 'accept', content: { name: 'Ada' } } };
    const params = { name: 'greet', arguments: {}, requestState, inputResponses };
    const { messages } = await ask(app.url, 'tools/call', params, { capabilities });
    expect(messages[0].result.content[0].text).toBe('Hello, Ada!');
  });

  test('serves clients with a handshake', async () => {
    const { headers, messages } = await old(app.url, initialize);
    expect(messages[0].result.serverInfo.name).toBe('contacts');
    const session = headers.get('mcp-session-id') ?? undefined;
    expect(session === undefined).toBe(hasNoSessions === true);
    await old(app.url, { method: 'notifications/initialized' }, session);
    const params = { name: 'countTo', arguments: { last: 2 }, _meta: { progressToken: 'p' } };
    const counted = await old(app.url, { id: 2, method: 'tools/call', params }, session);
    expect(counted.messages.map(({ method, result }) => method ?? result.content[0].text)).toEqual([
      'notifications/progress',
      'notifications/progress',
      'counted to 2',
    ]);
  });

  test('refuses a Host that is not its own, and a page of another origin', async () => {
    const { host } = new URL(app.url);
    expect(await statusFor(app.url, { host: 'evil.example' })).toBe(403);
    expect(await statusFor(app.url, { host, origin: 'https://evil.example' })).toBe(403);
    expect(await statusFor(app.url, { host })).toBe(200);
  });

  test('refuses bodies that are too long or no JSON', async () => {
    const post = (body: string) =>
      fetch(app.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect((await post('{')).status).toBe(400);
    expect((await post(`"${'x'.repeat(1_100_000)}"`)).status).toBe(413);
  });
});

const workerd = runtimes.filter(({ name }) => name === 'workerd');

test.each(workerd)('what $name cannot have fails at the start, with the alternative', async ({ command }) => {
  const app = await start(command, ['test/support/run-worker.mjs', './refused.mjs']);
  const [files, path, keyword] = (await (await fetch(app.url)).json()) as string[];
  await app.stop();
  expect(files).toMatch(
    /audit: .*needs files, and workerd has none.*AuditSink.*discover.*"services".*import manifest/s,
  );
  expect(path).toContain('import manifest');
  expect(keyword).toBe('fine');
});

/** `fetch` would not send a Host of our own. */
function statusFor(url: string, headers: Record<string, string>): Promise<number> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const sent = {
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/list',
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const req = request(url, { method: 'POST', headers: sent, agent: false }, (res) => {
      res.resume();
      resolve(res.statusCode!);
    });
    req.once('error', reject);
    req.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } }));
  });
}
