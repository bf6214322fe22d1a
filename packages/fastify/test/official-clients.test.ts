import { type RefereeClient, referees } from '../../../apps/pages/test/referees.js';
import { createFixture, type Fixture } from '../../http/test/support/fixture.js';
import { mcpFastify } from '../src/index.js';
import { closeApps, createApp, serveApp } from './support/apps.js';

let fixture: Fixture;
let url: URL;
beforeAll(async () => {
  fixture = await createFixture();
  // To Node, a connection that a client has opened in advance is not idle. Fastify would wait for it.
  const app = createApp({ forceCloseConnections: true });
  app.register(mcpFastify, { server: fixture.server, prefix: '/api' });
  url = new URL('/api/mcp', await serveApp(app));
});
afterAll(closeApps);

describe.each(referees)('$name', ({ connect }) => {
  let client: RefereeClient;
  beforeAll(async () => {
    client = await connect({ url }, { answer: () => ({ name: 'Ada' }) });
  });
  afterAll(() => client.close());

  test('lists, calls and reads', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'ask']));
    expect((await client.callTool('echo', { text: 'hi' })).content).toEqual([{ type: 'text', text: 'hi' }]);
    expect((await client.readResource('test://plain')).contents[0]).toMatchObject({ text: 'plain' });
  });

  test('follows progress', async () => {
    const seen: unknown[] = [];
    await client.callTool('talk', {}, { onprogress: ({ message }) => seen.push(message) });
    expect(seen).toEqual(expect.arrayContaining(['half', 'all']));
  });

  test('is asked', async () => {
    expect((await client.callTool('ask', {})).content).toEqual([{ type: 'text', text: 'Hello, Ada!' }]);
  });

  test('cancels a call', async () => {
    const going = new AbortController();
    const { gates } = fixture;
    const before = gates.aborted.length;
    const held = client.callTool('hold', { gate: 'a' }, { signal: going.signal });
    while (gates.entered.length <= before) await new Promise(setImmediate);
    going.abort();
    await expect(held).rejects.toThrow();
    while (gates.aborted.length <= before) await new Promise(setImmediate);
    expect(gates.aborted).toHaveLength(before + 1);
  });
});
