import assert from 'node:assert/strict';
import type { McpServer } from '@toolwright/core';
import { describeContract } from './test-runner.js';
import { createTransportFixture, type TransportFixture } from './transport-fixture.js';
import { RecordingClient, type TransportSubject, notificationsOf } from './recording-client.js';

/** Serves the suite's own server over the transport. */
export type ServeTransport = (server: McpServer) => TransportSubject | Promise<TransportSubject>;

interface Case extends TransportFixture {
  transport: TransportSubject;
  client: RecordingClient;
}

/** Declares the tests that every transport must pass. They speak 2026-07-28, and open one client each. */
export function describeTransport(name: string, serve: ServeTransport): void {
  const create = async (): Promise<Case & { close(): Promise<unknown> }> => {
    const fixture = await createTransportFixture();
    const transport = await serve(fixture.server);
    const client = await RecordingClient.connect(transport);
    const close = async () => {
      fixture.openAll();
      await transport.close();
      await fixture.server.close(0);
    };
    return { ...fixture, transport, client, close };
  };
  describeContract(`${name} keeps the contract of a transport`, create, cases);
}

const cases: Record<string, (subject: Case) => Promise<void>> = {
  async 'says who calls, from where, and over what'({ client, transport }) {
    const { principal, ip, transport: kind } = transport.peer;
    const seen = JSON.parse(await client.text(client.call('whoami'))) as unknown;
    assert.deepEqual(seen, { subject: principal?.subject ?? null, ip: ip ?? null, transport: kind });
  },

  async 'sends what belongs to a request before its answer'({ client }) {
    const id = client.call('report', {}, { progressToken: 'p' });
    await client.answer(id);
    assert.deepEqual(notificationsOf(client.messages), ['half', 'all']);
    assert.equal(client.messages.at(-1)!.id, id);
  },

  async 'keeps several requests in flight, and answers each by its id'({ client, reached, open }) {
    const [first, second] = [client.call('hold', { gate: 'a' }), client.call('hold', { gate: 'b' })];
    await Promise.all([reached('a'), reached('b')]);
    open('b');
    assert.equal(await client.text(second), 'through b');
    open('a');
    assert.equal(await client.text(first), 'through a');
  },

  async 'cancels the calls of a client that goes away'({ client, reached, aborted }) {
    client.call('hold', { gate: 'a' });
    await reached('a');
    await client.leave();
    await aborted('a');
  },

  async 'answers text that is not JSON, and goes on'({ client, transport }) {
    if (transport.takesObjects) return;
    client.sendText('{');
    assert.equal((await client.at(1)).error?.code, -32700);
    assert.equal(await client.text(client.call('hold', { gate: 'open' })), 'through open');
  },

  async 'answers what is JSON and no message, and goes on'({ client }) {
    client.sendText('{"jsonrpc":"1.0","id":7,"method":"tools/list"}');
    assert.equal((await client.answer(7)).error?.code, -32600);
    assert.equal(await client.text(client.call('hold', { gate: 'open' })), 'through open');
  },

  async 'answers errors of the protocol under the id of their request'({ client }) {
    const answer = await client.answer(client.request('tools/call', { name: 'unknown', arguments: {} }));
    assert.equal(answer.error?.code, -32602);
    const { error } = await client.answer(client.request('unknown/method'));
    assert.equal(error?.code, -32601);
  },

  async 'does not answer notifications'({ client }) {
    client.sendText('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    await client.answer(client.call('hold', { gate: 'open' }));
    assert.equal(client.messages.length, 1);
  },

  async 'answers what arrives while the server stops, and what was there before'(subject) {
    const { client, server, reached, open } = subject;
    const held = client.call('hold', { gate: 'a' });
    await reached('a');
    const drained = server.drain();
    const late = await client.answer(client.call('whoami'));
    assert.equal(typeof late.error?.data?.['retryAfterMs'], 'number');
    open('a');
    assert.equal(await client.text(held), 'through a');
    assert.equal(await drained, true);
  },

  async 'finishes calls in flight when it is closed, and leaves nothing open'(subject) {
    const { client, server, transport, reached, open } = subject;
    const held = client.call('hold', { gate: 'a' });
    await reached('a');
    const closed = transport.close();
    open('a');
    assert.equal(await client.text(held), 'through a');
    await closed;
    assert.deepEqual(server.protocol.load, { sessions: 0, subscriptions: 0, requests: 0 });
  },
};
