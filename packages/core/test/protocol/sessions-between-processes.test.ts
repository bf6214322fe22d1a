import type { McpServer } from '@toolwright/core';
import { settled } from '../support/fake-clock.js';
import { Fleet, openedAt, textOf } from '../support/fleet.js';
import { accept } from '../support/protocol-fixture.js';
import { RecordingSink, SessionWire } from '../wire/session-wire.js';

const capabilities = { elicitation: { form: {} }, roots: {} };

let fleet: Fleet;
let one: McpServer;
let two: McpServer;
beforeEach(async () => {
  fleet = new Fleet();
  one = await fleet.start();
  two = await fleet.start();
});
afterEach(() => fleet.stop());

const open = () => new SessionWire(one, { subject: 'ann', capabilities });

describe('Between processes', () => {
  test('an answer reaches the process that asked', async () => {
    const wire = open();
    const { sink } = wire.open('tools/call', { name: 'ask', arguments: {} });
    const { id } = await sink.inbox.find(({ method }) => method === 'elicitation/create');
    const there = await openedAt(two, wire);
    there.hear({ id, result: accept('Ada') });
    expect(textOf(await sink.inbox.find(({ result }) => result !== undefined))).toBe('Hello, Ada!');
  });

  test('a cancellation reaches the process that works', async () => {
    const wire = open();
    wire.open('tools/call', { name: 'hold', arguments: { gate: 'a' } });
    await fleet.gates(one).reached('a');
    const there = await openedAt(two, wire);
    there.hear({ method: 'notifications/cancelled', params: { requestId: 100 } });
    await settled();
    expect(fleet.gates(one).aborted).toEqual(['a']);
  });

  test('the end of the handshake is known everywhere', async () => {
    const wire = new SessionWire(one, { subject: 'ann', capabilities, initialized: false });
    const there = await openedAt(two, wire);
    expect(wire.session!.initialized).toBe(false);
    there.hear({ method: 'notifications/initialized' });
    expect(wire.session!.initialized).toBe(true);
  });

  test('a client that is faster than the bus is asked, and told', async () => {
    const wire = new SessionWire(one, { subject: 'ann', capabilities, initialized: false });
    // Another process gets `notifications/initialized`, and this one hears nothing of it.
    await wire.request('ping');
    expect(wire.session!.initialized).toBe(false);
    const { sink } = wire.open('tools/call', { name: 'ask', arguments: {} });
    const { id } = await sink.inbox.find(({ method }) => method === 'elicitation/create');
    wire.hear({ id, result: accept('Ada') });
    expect(textOf(await sink.inbox.find(({ result }) => result !== undefined))).toBe('Hello, Ada!');
  });

  test('a stream of a running call is resumed where the client comes to, with nothing lost or doubled', async () => {
    const wire = open();
    const { stream, sink } = wire.open('tools/call', { name: 'ask', arguments: {} });
    stream.prime();
    const { id } = await sink.inbox.find(({ method }) => method === 'elicitation/create');
    const there = await openedAt(two, wire);
    const resumed = new RecordingSink();
    await there.session!.streams.resume(sink.eventIds.at(-1)!, resumed);
    await settled();
    expect(sink.isClosed).toBe(true);
    there.hear({ id, result: accept('Ada') });
    const answer = await resumed.inbox.find(({ result }) => result !== undefined);
    await settled();
    expect([textOf(answer), resumed.inbox.messages.length, resumed.isClosed]).toEqual([
      'Hello, Ada!',
      1,
      true,
    ]);
  });

  test('a stream that has ended is replayed to its end', async () => {
    const wire = open();
    const { stream, sink } = wire.open('tools/call', {
      name: 'talk',
      arguments: {},
      _meta: { progressToken: 1 },
    });
    stream.prime();
    await sink.inbox.find(({ result }) => result !== undefined);
    await settled();
    const there = await openedAt(two, wire);
    const resumed = new RecordingSink();
    await there.session!.streams.resume(sink.eventIds[0]!, resumed);
    expect([resumed.inbox.messages, resumed.isClosed]).toEqual([sink.inbox.messages.slice(1), true]);
  });

  test('a stream whose process has died ends with an error that says so', async () => {
    const wire = open();
    const { stream, sink } = wire.open('tools/call', { name: 'hold', arguments: { gate: 'a' } });
    stream.prime();
    const there = await openedAt(two, wire);
    const resumed = new RecordingSink();
    // The process is killed: it says nothing more, and its stream has no end.
    fleet.bus.losesNext = Infinity;
    await there.session!.streams.resume(sink.eventIds[0]!, resumed);
    await fleet.clock.advance(3_000);
    await settled();
    expect(resumed.inbox.messages).toEqual([
      { jsonrpc: '2.0', id: 100, error: { code: -32603, message: expect.stringContaining('has ended') } },
    ]);
    expect(resumed.isClosed).toBe(true);
  });

  test('the stream for changes moves with its client, with nothing lost or doubled', async () => {
    const wire = open();
    const first = new RecordingSink();
    wire.session!.streams.listen(first);
    one.tools.remove('talk');
    await first.inbox.at(1);
    const there = await openedAt(two, wire);
    one.tools.remove('sample');
    await settled();
    const second = new RecordingSink();
    await there.session!.streams.resume(first.eventIds[0]!, second);
    two.tools.remove('roots');
    await second.inbox.at(2);
    await settled();
    expect([first.isClosed, second.inbox.messages.length]).toEqual([true, 2]);
    const third = new RecordingSink();
    await wire.session!.streams.resume(second.eventIds[0]!, third);
    await settled();
    expect([second.isClosed, third.inbox.messages.length]).toEqual([true, 1]);
  });

  test('changes that the bus may have lost are announced again', async () => {
    const wire = open();
    const sink = new RecordingSink();
    wire.session!.streams.listen(sink);
    await wire.request('resources/subscribe', { uri: 'test://plain' });
    fleet.bus.publish({ type: 'eventsMissed' });
    await settled();
    expect(sink.inbox.messages.map(({ method }) => method)).toEqual([
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
      'notifications/resources/updated',
    ]);
  });
});
