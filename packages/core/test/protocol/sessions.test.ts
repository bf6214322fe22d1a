import { MemoryEventStore } from '@toolwright/core/ports';
import { settled } from '../support/fake-clock.js';
import { accept, close, createProtocolFixture, type ProtocolFixture } from '../support/protocol-fixture.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { RecordingSink, SessionWire, type SessionClient } from '../wire/session-wire.js';

let fixture: ProtocolFixture;
const serve = async (options: Parameters<typeof createProtocolFixture>[0] = {}) => {
  fixture = await createProtocolFixture(options);
};
afterEach(() => close(fixture));

const connect = (client: SessionClient = {}) => new SessionWire(fixture.server, client);
const of = (subject: string) => connect({ subject });
const from = (ip: string) => connect({ ip });
/** Which of these sessions are still there. Asking renews them. */
const alive = (...wires: SessionWire[]) => wires.map(({ session }) => session !== undefined);
const sessions = () => fixture.server.protocol.load.sessions;

describe('Room', () => {
  test('a principal that opens too many loses its own longest unused one, nobody else does', async () => {
    await serve({ sessions: { maxPerPrincipal: 2 } });
    const modest = of('modest');
    const greedy = [of('greedy'), of('greedy'), of('greedy')];
    expect(alive(modest, ...greedy)).toEqual([true, false, true, true]);
  });

  test('use counts: the one that was asked for lately stays', async () => {
    await serve({ sessions: { maxPerPrincipal: 2 } });
    const [first, second] = [of('ann'), of('ann')];
    expect(alive(first)).toEqual([true]);
    of('ann');
    expect(alive(first, second)).toEqual([true, false]);
  });

  test('a principal whose sessions are all at work is asked to come back', async () => {
    await serve({ sessions: { maxPerPrincipal: 1 } });
    of('ann').open('tools/call', { name: 'hold', arguments: { gate: 'a' } });
    await fixture.gates.reached('a');
    const { opened } = of('ann');
    expect([opened.reply.status, opened.reply.retryAfterMs, opened.session]).toEqual([
      503,
      10_000,
      undefined,
    ]);
    fixture.gates.open('a');
    await settled();
  });

  test('when all places are taken, the principal that was unused longest gives way', async () => {
    await serve({ sessions: { max: 2 } });
    const nobody = connect();
    const wires = [of('ann'), of('bob'), of('cid')];
    expect(alive(nobody, ...wires)).toEqual([true, false, true, true]);
  });

  test('anonymous callers take no place from principals: the address with the most gives way', async () => {
    await serve({ sessions: { maxAnonymous: 3 } });
    const ann = of('ann');
    const flood = [from('192.0.2.66'), from('192.0.2.66'), from('192.0.2.66')];
    const quiet = from('192.0.2.1');
    const again = from('192.0.2.66');
    expect(alive(ann, quiet, again, ...flood)).toEqual([true, true, true, false, false, true]);
  });
});

describe('The end', () => {
  test('comes when a session was not used for a while, unless somebody waits in it', async () => {
    await serve({ sessions: { idle: 1_000 } });
    const [unused, busy, listening] = [of('ann'), of('bob'), of('cid')];
    busy.open('tools/call', { name: 'hold', arguments: { gate: 'a' } });
    listening.session!.streams.listen(new RecordingSink());
    await fixture.clock.advance(1_000);
    expect(sessions()).toBe(2);
    expect(alive(unused, busy, listening)).toEqual([false, true, true]);
    fixture.gates.open('a');
    await settled();
    await fixture.clock.advance(2_000);
    expect(alive(busy, listening)).toEqual([false, true]);
  });

  test('comes with the next look, if that is before the sweep', async () => {
    await serve({ sessions: { idle: 1_000 } });
    of('ann');
    await fixture.clock.advance(500);
    const later = of('bob');
    await fixture.clock.advance(500);
    expect(sessions()).toBe(1);
    await fixture.clock.advance(500);
    expect(alive(later)).toEqual([false]);
  });

  test('stops what runs in it, and is heard by its handle', async () => {
    await serve();
    const wire = of('ann');
    const { sink } = wire.open('tools/call', { name: 'hold', arguments: { gate: 'a' } });
    await fixture.gates.reached('a');
    const ends: string[] = [];
    const session = wire.session!;
    session.onEnd(() => ends.push('end'));
    void fixture.server.protocol.endSession(wire.id);
    await fixture.server.protocol.endSession(wire.id);
    session.onEnd(() => ends.push('late'));
    await settled();
    expect([ends, fixture.gates.aborted, sink.isClosed]).toEqual([['end', 'late'], ['a'], true]);
  });

  test('of a server ends all of them, and no more are opened', async () => {
    await serve();
    const wire = of('ann');
    const standalone = new RecordingSink();
    wire.session!.streams.listen(standalone);
    await fixture.server.drain();
    expect([sessions(), standalone.isClosed]).toEqual([0, true]);
    expect(of('bob').opened.reply).toMatchObject({ status: 503, retryAfterMs: 5_000 });
  });
});

test('A session belongs to its principal', async () => {
  await serve();
  const { id } = of('ann');
  const { protocol } = fixture.server;
  expect(protocol.findSession(id, { subject: 'eve', scopes: [] })).toBeUndefined();
  expect(protocol.findSession(id, undefined)).toBeUndefined();
  expect(protocol.findSession('unknown', undefined)).toBeUndefined();
});

test('Without sessions each request stands alone, and cannot ask', async () => {
  await serve({ sessions: false });
  const wire = of('ann');
  expect([wire.opened.reply.status, wire.opened.session]).toEqual([200, undefined]);
  const { protocol } = fixture.server;
  expect(protocol.stateful).toMatchObject({ hasSessions: false });
  const session = protocol.detachedSession('2025-11-25', undefined);
  expect([session.initialized, session.lasting]).toEqual([true, false]);
});

test('A handshake that says nothing of its version is refused', async () => {
  await serve();
  const wire = connect({ revision: 5 as never });
  expect(wire.opened.session).toBeUndefined();
  expect(JSON.parse(wire.opened.reply.text)).toMatchObject({ error: { code: -32602 } });
});

describe('Streams', () => {
  test('a broken one is resumed where it broke, by its own session alone', async () => {
    await serve({ stores: { events: new MemoryEventStore() } });
    const wire = of('ann');
    const first = new RecordingSink();
    const detach = wire.session!.streams.listen(first);
    fixture.server.tools.remove('talk');
    await first.inbox.at(1);
    detach();
    detach();
    fixture.server.tools.remove('whoami');
    await settled();
    const second = new RecordingSink();
    await wire.session!.streams.resume(first.eventIds[0]!, second);
    expect(second.inbox.messages).toHaveLength(1);
    expect(second.eventIds[0]).not.toBe(first.eventIds[0]);
    const foreign = new RecordingSink();
    await of('eve').session!.streams.resume(first.eventIds[0]!, foreign);
    expect(foreign.inbox.messages).toEqual([]);
  });

  test('the newest connection gets what follows, and the older one is closed', async () => {
    await serve();
    const wire = of('ann');
    const [older, newer] = [new RecordingSink(), new RecordingSink()];
    wire.session!.streams.listen(older);
    wire.session!.streams.listen(newer);
    fixture.server.tools.remove('talk');
    await newer.inbox.at(1);
    expect([older.isClosed, older.inbox.messages, newer.isClosed]).toEqual([true, [], false]);
  });

  test('a call’s stream outlives its connection: the answer waits for who resumes it', async () => {
    await serve({ stores: { events: new MemoryEventStore() } });
    const wire = connect({ subject: 'ann', capabilities: { elicitation: {} } });
    const { stream, sink } = wire.open('tools/call', { name: 'ask', arguments: {} });
    stream.prime();
    const { id } = await sink.inbox.find(({ method }) => method === 'elicitation/create');
    stream.detach(sink);
    const open = new RecordingSink();
    await wire.session!.streams.resume(sink.eventIds.at(-1)!, open);
    expect(stream.connected).toBe(true);
    wire.hear({ id, result: accept('Ada') });
    expect((await open.inbox.at(1)).result.content[0].text).toBe('Hello, Ada!');
    await settled();
    expect(open.isClosed).toBe(true);
    stream.send('{}');
    stream.attach(new RecordingSink());
    // Ended by now: all of it is replayed, and the connection closed.
    const late = new RecordingSink();
    (await wire.session!.streams.resume(sink.eventIds[0]!, late))();
    expect([late.inbox.messages.length, late.isClosed]).toEqual([1, true]);
  });

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('down');
      },
    ],
    ['fails', () => Promise.reject(new Error('down'))],
  ])('a store that %s when it forgets a session does not stop the server', async (_how, drop) => {
    const logger = new RecordingLogger();
    const events = { append: () => undefined, after: () => [], drop };
    await serve({ logger, stores: { events: events as never } });
    await fixture.server.protocol.endSession(of('ann').id);
    await settled();
    expect(logger.lines.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('streams cannot be resumed'),
    );
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('down');
      },
    ],
    ['fails', () => Promise.reject(new Error('down'))],
  ])('a store that %s costs the resuming, not the answer', async (_how, append) => {
    const logger = new RecordingLogger();
    const events = { append, after: () => [], drop: () => undefined };
    await serve({ logger, stores: { events: events as never } });
    expect((await of('ann').request('ping')).result).toEqual({});
    await settled();
    expect(JSON.stringify(logger.lines)).toContain('streams cannot be resumed');
  });
});
