import type { Principal } from '@toolwright/core';
import { createFixture, type Fixture } from './support/fixture.js';
import { servedUntilAfterEach } from './support/serve-fixture.js';
import { LegacyClient } from './support/legacy-client.js';
import { call, send, type WireRequest } from './support/wire.js';

const start = servedUntilAfterEach();
const serve = async (...own: Parameters<typeof start>) => (await start(...own)).url;

const withHeaders = (request: WireRequest, headers: Record<string, string>): WireRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
});

describe('clients that use the same JSON-RPC ids', () => {
  const clients = Array.from({ length: 64 }, (_, index) => `user-${index}`);
  const principal = (req: { headers: Record<string, unknown> }): Principal => ({
    subject: String(req.headers['x-user']),
    scopes: [],
  });

  async function canaries(): Promise<Fixture> {
    const fixture = await createFixture();
    fixture.server.tools.add({
      name: 'canary',
      description: 'Tells who asks, after a while.',
      inputSchema: { type: 'object', properties: { canary: { type: 'string' } }, required: ['canary'] },
      handler: async ({ canary }, context) => {
        context.progress(1, 1, canary as string);
        await new Promise((resolve) => setImmediate(resolve));
        return `${context.principal?.subject} ${canary as string}`;
      },
    });
    return fixture;
  }

  test('get only their own answers and progress, in the newer era', async () => {
    const url = await serve(await canaries(), { principal });
    const rounds = Array.from({ length: 32 }, (_, id) => id);
    await Promise.all(
      clients.map(async (user) => {
        for (const id of rounds) {
          const canary = `canary-${user}-${id}`;
          // Same ids and same progress tokens for everybody.
          const request = call('canary', { canary }, { id, meta: id % 2 ? {} : { progressToken: id } });
          const answer = await send(url, withHeaders(request, { 'x-user': user }));
          const last = answer.json ?? answer.events.at(-1);
          expect(last).toMatchObject({ id, result: { content: [{ text: `${user} ${canary}` }] } });
          expect(answer.text.match(/canary-user-\d+-\d+/g)!.every((found) => found === canary)).toBe(true);
        }
      }),
    );
  });

  test('get only their own answers, in sessions of the older era', async () => {
    const url = await serve(await canaries(), { principal });
    await Promise.all(
      clients.map(async (user) => {
        const client = await LegacyClient.connect(url, '2025-06-18', { headers: { 'x-user': user } });
        for (let id = 1; id <= 16; id++) {
          const canary = `canary-${user}-${id}`;
          const answer = await client.request('tools/call', { name: 'canary', arguments: { canary } }, id);
          const last = answer.json ?? answer.events.at(-1);
          expect(last).toMatchObject({ id, result: { content: [{ text: `${user} ${canary}` }] } });
          expect(answer.text.match(/canary-user-\d+-\d+/g)!.every((found) => found === canary)).toBe(true);
        }
      }),
    );
  });
});

describe('the stored events of a session', () => {
  test('are not replayed to another principal, which cannot find out that they exist', async () => {
    const fixture = await createFixture();
    const url = await serve(fixture, {
      principal: (req) => ({ subject: String(req.headers['x-user']), scopes: [] }),
    });
    const ada = await LegacyClient.connect(url, '2025-11-25', { headers: { 'x-user': 'ada' } });
    const stream = await ada.stream();
    fixture.server.tools.add({ name: 'one', description: 'One.', handler: () => 'x' });
    const { id } = await stream.event(1);
    stream.close();
    const stolen = { ...ada.headers, 'x-user': 'eve', 'last-event-id': id! };
    const unknown = { ...stolen, 'mcp-session-id': 'f'.repeat(32) };
    const answers = await Promise.all(
      [stolen, unknown].map((headers) => send(url, { method: 'GET', headers })),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(answers[0]!.text).toBe(answers[1]!.text);
    const own = await LegacyClient.connect(url, '2025-11-25', { headers: { 'x-user': 'eve' } });
    const foreign = await own.stream({ 'last-event-id': id! });
    fixture.server.tools.add({ name: 'two', description: 'Two.', handler: () => 'x' });
    await foreign.event(1);
    expect(foreign.events).toHaveLength(1);
    foreign.close();
  });
});
