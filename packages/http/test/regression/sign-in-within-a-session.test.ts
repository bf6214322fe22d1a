import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ServerOptions } from '@toolwright/core';
import { MemoryClaimStore, MemoryEventBus, type AuditEvent } from '@toolwright/core/ports';
import { ManualClock } from '@toolwright/testing';
import { closedAfterEach } from '../../../../.ci/test/support/closed-after-each.js';
import { serveHttp, type HttpService } from '../../src/index.js';
import { createFixture } from '../support/fixture.js';
import { auditTo } from '../../../core/test/support/recording-sink.js';

// A client that began without a token and then signed in was answered 404 for as long as its session lasted. The
// official client, version 1, does not begin again by itself.

const services = closedAfterEach<HttpService>();

const records: AuditEvent[] = [];
beforeEach(() => void records.splice(0));
const audit = auditTo((event) => void records.push(event));

async function start(options: Partial<ServerOptions> = {}) {
  const { server } = await createFixture({ audit, ...options });
  const service = await serveHttp(server, {
    port: 0,
    signals: false,
    principal: ({ headers }) => {
      const token = headers['authorization'];
      return token === undefined ? undefined : { subject: token.replace('Bearer ', ''), scopes: [] };
    },
  });
  services.push(service);
  return { server, ...service };
}

const clientInfo = { name: 'client', version: '1' };

function send(url: string, message: object, { session, token }: { session?: string; token?: string } = {}) {
  return fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(session && { 'Mcp-Session-Id': session }),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
}

async function open(url: string, token?: string): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const answer = await send(url, { id: 1, method: 'initialize', params }, { token });
  const session = answer.headers.get('mcp-session-id')!;
  await send(url, { method: 'notifications/initialized' }, { session, token });
  return session;
}

const question = { id: 2, method: 'tools/call', params: { name: 'whoami', arguments: {} } };

/** Who the server says that the caller is, or the status of a refusal. */
async function ask(url: string, session: string, token?: string): Promise<string | number> {
  const answer = await send(url, question, { session, token });
  if (answer.status !== 200) return answer.status;
  const { result } = (await answer.json()) as { result: { content: { text: string }[] } };
  return result.content[0]!.text;
}

test('an anonymous session becomes that of who signs in, once', async () => {
  const { url } = await start();
  const session = await open(url);
  expect(await ask(url, session)).toBe('nobody');
  expect(await ask(url, session, 'ann')).toBe('ann');
  expect(await ask(url, session, 'ann')).toBe('ann');
  // It is ann's now: another caller, and one without a token, learn no more than of a session that never was.
  expect(await ask(url, session, 'bob')).toBe(404);
  expect(await ask(url, session)).toBe(404);
  expect(await ask(url, session, 'ann')).toBe('ann');
  expect(records.filter(({ operation }) => operation === 'session')).toMatchObject([
    {
      event: 'outcome',
      name: 'sign in',
      principal: { subject: 'ann' },
      client: { name: 'client' },
      outcome: 'ok',
    },
  ]);
  expect(JSON.stringify(records)).not.toContain(session);
});

test('a session of a principal never becomes that of another one', async () => {
  const { url } = await start();
  const session = await open(url, 'ann');
  expect(await ask(url, session, 'bob')).toBe(404);
  expect(await ask(url, session)).toBe(404);
  expect(await ask(url, session, 'ann')).toBe('ann');
});

test('what the client asked for goes on, and its anonymous stream ends', async () => {
  const { url, server } = await start();
  const session = await open(url);
  const listen = (token?: string) =>
    fetch(url, {
      headers: {
        Accept: 'text/event-stream',
        'Mcp-Session-Id': session,
        ...(token && { Authorization: `Bearer ${token}` }),
      },
    });
  const before = (await listen()).body!.getReader();
  expect(await ask(url, session, 'ann')).toBe('ann');
  for (;;) if ((await before.read()).done) break;
  const after = (await listen('ann')).body!.getReader();
  server.tools.remove('whoami');
  let heard = '';
  while (!heard.includes('tools/list_changed')) heard += Buffer.from((await after.read()).value!).toString();
  await after.cancel();
});

test('in a fleet, any process lets one caller continue, and all agree which', async () => {
  const clock = new ManualClock();
  const secrets = ['s'.repeat(32)];
  const shared = {
    stores: { bus: new MemoryEventBus(), claims: new MemoryClaimStore(clock) },
    secrets,
  };
  const [one, two] = [await start(shared), await start(shared)];
  const session = await open(one.url);
  expect(await ask(two.url, session)).toBe('nobody');
  const both = await Promise.all([ask(one.url, session, 'ann'), ask(two.url, session, 'ann')]);
  expect(both).toEqual(['ann', 'ann']);
  for (const { url } of [one, two]) {
    expect(await ask(url, session, 'ann')).toBe('ann');
    expect(await ask(url, session, 'bob')).toBe(404);
    expect(await ask(url, session)).toBe(404);
  }
  const ended = await fetch(one.url, {
    method: 'DELETE',
    headers: { 'Mcp-Session-Id': session, Authorization: 'Bearer ann' },
  });
  expect(ended.status).toBe(200);
  for (const { url } of [one, two]) expect(await ask(url, session, 'ann')).toBe(404);
});

test('of two callers that come with the id at the same time, one continues', async () => {
  const clock = new ManualClock();
  const shared = {
    stores: { bus: new MemoryEventBus(), claims: new MemoryClaimStore(clock) },
    secrets: ['s'.repeat(32)],
  };
  const [one, two] = [await start(shared), await start(shared)];
  const session = await open(one.url);
  const both = await Promise.all([ask(one.url, session, 'ann'), ask(two.url, session, 'bob')]);
  expect(both.filter((each) => each === 404)).toHaveLength(1);
  expect(both.filter((each) => each === 'ann' || each === 'bob')).toHaveLength(1);
});

test('the official client, version 1, goes on in its session after it has signed in', async () => {
  const { url } = await start();
  const signedIn: { token?: string } = {};
  const client = new Client(clientInfo);
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      if (signedIn.token) headers.set('Authorization', `Bearer ${signedIn.token}`);
      return fetch(input, { ...init, headers });
    },
  });
  await client.connect(transport);
  const said = async () =>
    ((await client.callTool({ name: 'whoami', arguments: {} })).content as { text: string }[])[0]!.text;
  expect(await said()).toBe('nobody');
  signedIn.token = 'ann';
  expect(await said()).toBe('ann');
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('whoami');
  await client.close();
});
