import type { McpServer } from '@toolwright/core';
import { MemoryEventStore, type EventStore } from '@toolwright/core/ports';
import { settled } from '../support/fake-clock.js';
import { Fleet, openedAt, textOf } from '../support/fleet.js';
import { LateAnswers } from '../support/late-answers.js';
import { accept } from '../support/protocol-fixture.js';
import { RecordingSink, SessionWire } from '../wire/session-wire.js';

const capabilities = { elicitation: { form: {} }, roots: {} };

let fleet: Fleet;
let one: McpServer;
beforeEach(async () => {
  fleet = new Fleet();
  one = await fleet.start();
});
afterEach(() => fleet.stop());

const open = (server = one) => new SessionWire(server, { subject: 'ann', capabilities });

/** A call that asks its client, and the question. */
async function asking(wire: SessionWire) {
  const { stream, sink } = wire.open('tools/call', { name: 'ask', arguments: {} });
  stream.prime();
  const { id } = await sink.inbox.find(({ method }) => method === 'elicitation/create');
  return { stream, sink, answer: () => wire.hear({ id, result: accept('Ada') }) };
}

/** A server whose store of events reads late. */
async function readingLate() {
  const { events } = fleet;
  const late = new LateAnswers();
  const slow: EventStore = {
    append: (...args) => events.append(...args),
    after: (...args) => late.after(() => events.after(...args)),
    drop: (session) => events.drop(session),
  };
  return { late, server: await fleet.start({}, { stores: { events: slow } }) };
}

describe('A stream that is resumed at another process', () => {
  test('sends each message once, also when it grows faster than the store reads', async () => {
    const { late, server } = await readingLate();
    const wire = open();
    const { sink, answer } = await asking(wire);
    const there = await openedAt(server, wire);
    const [first, second] = [new RecordingSink(), new RecordingSink()];
    await there.session!.streams.resume(sink.eventIds[0]!, first);
    await settled();
    late.isLate = true;
    const resuming = there.session!.streams.resume(sink.eventIds[0]!, second);
    answer();
    await settled();
    late.answer();
    await resuming;
    await settled();
    await settled();
    expect(second.inbox.messages.map((message) => textOf(message))).toEqual(['Hello, Ada!']);
    expect(new Set(second.eventIds).size).toBe(second.eventIds.length);
  });

  test('stays with the process that the client has come back to', async () => {
    const two = await fleet.start();
    const wire = open();
    const { sink } = await asking(wire);
    const there = await openedAt(two, wire);
    const [left, back] = [new RecordingSink(), new RecordingSink()];
    await there.session!.streams.resume(sink.eventIds[0]!, left);
    await wire.session!.streams.resume(sink.eventIds[0]!, back);
    await fleet.clock.advance(30_000);
    expect([left.isClosed, back.isClosed]).toEqual([true, false]);
  });

  test('does not take the client back when it did not hear that it has gone', async () => {
    const two = await fleet.start();
    const wire = open();
    const { sink } = await asking(wire);
    const there = await openedAt(two, wire);
    const [left, back] = [new RecordingSink(), new RecordingSink()];
    await there.session!.streams.resume(sink.eventIds[0]!, left);
    await settled();
    const published = fleet.bus.fromNow();
    fleet.bus.losesNext = 1;
    await wire.session!.streams.resume(sink.eventIds[0]!, back);
    expect(published).toHaveLength(1);
    await fleet.clock.advance(30_000);
    expect([left.isClosed, back.isClosed]).toEqual([true, false]);
  });

  test('moves on to a third process, and stays there', async () => {
    const [two, three] = [await fleet.start(), await fleet.start()];
    const wire = open();
    const { sink, answer } = await asking(wire);
    const [second, third] = [new RecordingSink(), new RecordingSink()];
    const resume = async (server: McpServer, to: RecordingSink) =>
      (await openedAt(server, wire)).session!.streams.resume(sink.eventIds[0]!, to);
    await resume(two, second);
    await resume(three, third);
    await fleet.clock.advance(30_000);
    expect([second.isClosed, third.isClosed]).toEqual([true, false]);
    answer();
    expect(textOf(await third.inbox.find(({ result }) => result !== undefined))).toBe('Hello, Ada!');
  });

  test.each([
    '',
    '_',
    '_0',
    'no-such-stream_0',
    '__proto___0',
    'constructor_0',
    '0-00_0',
    `0-${'a'.repeat(12)}-${'x'.repeat(10_000)}_0`,
    '0-0123456789ab-!!_0',
  ])('is closed at once when no process can have opened it: %#', async (lastEventId) => {
    const there = await openedAt(await fleet.start(), open());
    const published = fleet.bus.fromNow();
    const sink = new RecordingSink();
    await there.session!.streams.resume(lastEventId, sink);
    expect([sink.isClosed, sink.eventIds.length, published.length]).toEqual([true, 0, 0]);
    expect(there.session!.busy).toBe(false);
  });

  test('made up, many times, takes little', async () => {
    const there = await openedAt(await fleet.start(), open());
    const sinks = Array.from({ length: 200 }, () => new RecordingSink());
    await Promise.all(
      sinks.map((sink, index) => there.session!.streams.resume(`${index}-0123456789ab_0`, sink)),
    );
    expect(sinks.filter(({ isClosed }) => !isClosed)).toHaveLength(128);
    await fleet.clock.advance(3_000);
    await settled();
    expect(sinks.filter(({ isClosed }) => !isClosed)).toEqual([]);
    expect(there.session!.busy).toBe(false);
  });
});

describe('What was written into the store of events by others', () => {
  test.each([
    ['with an empty text', { text: '' }],
    ['as the end of the stream', { text: '', last: true }],
    ['without a seal', { text: '{}' }],
  ])('does not reach the client: %s', async (_what, more) => {
    const wire = open();
    const { stream, sink } = await asking(wire);
    const { key } = wire.session!;
    const id = `${stream.id}_1\ndata: {"forged":true}\n\n`;
    fleet.events.append(key, stream.id, { id, ...more });
    const resumed = new RecordingSink();
    const there = await openedAt(await fleet.start(), wire);
    await there.session!.streams.resume(sink.eventIds[0]!, resumed);
    await settled();
    expect([resumed.eventIds, resumed.isClosed]).toEqual([[], false]);
  });

  test('cannot turn a message into the end of its stream', async () => {
    const wire = open();
    const { stream, sink } = await asking(wire);
    const { key } = wire.session!;
    const [question] = fleet.events.after(key, stream.id, sink.eventIds[0]!);
    fleet.events.append(key, stream.id, { ...question!, last: true });
    const resumed = new RecordingSink();
    const there = await openedAt(await fleet.start(), wire);
    await there.session!.streams.resume(sink.eventIds[0]!, resumed);
    await settled();
    expect(resumed.isClosed).toBe(false);
  });
});

describe('While the store of events fails', () => {
  const failing = {
    rejects: () => Promise.reject(new Error('away')),
    throws: () => {
      throw new Error('away');
    },
    hangs: () => new Promise<never>(() => undefined),
  };

  test.each(Object.entries(failing))(
    'nothing is held for a client that resumes: it %s',
    async (_how, after) => {
      const { events } = fleet;
      const broken: EventStore = {
        append: (...args) => events.append(...args),
        after,
        drop: () => undefined,
      };
      const server = await fleet.start({}, { stores: { events: broken } });
      const wire = open(server);
      wire.session!.streams.listen(new RecordingSink())();
      const sink = new RecordingSink();
      const resuming = wire.session!.streams.resume('standalone_x-0', sink);
      await fleet.clock.advance(10_000);
      await resuming;
      expect(sink.isClosed).toBe(true);
      expect(wire.session!.busy).toBe(false);
    },
  );

  test('the log says it once', async () => {
    const away = () => Promise.reject(new Error('away'));
    const server = await fleet.start({}, { stores: { events: { append: away, after: away, drop: away } } });
    const before = fleet.logger.lines.length;
    const wire = open(server);
    const { stream } = await asking(wire);
    for (let count = 0; count < 100; count++) stream.send(`{"count":${count}}`);
    await settled();
    expect(fleet.logger.lines.length - before).toBe(1);
  });
});

test('A process that lets go of the stream for changes waits until all of it is stored', async () => {
  const events = new MemoryEventStore();
  const first = new LateAnswers();
  first.isLate = true;
  let appended = 0;
  const slow: EventStore = {
    append: (...args) =>
      appended++ === 0
        ? first.after(() => undefined).then(() => events.append(...args))
        : Promise.resolve(events.append(...args)),
    after: (...args) => events.after(...args),
    drop: () => undefined,
  };
  const server = await fleet.start({}, { stores: { events: slow } });
  const wire = open(server);
  const { streams } = wire.session!;
  streams.listen(new RecordingSink());
  streams.announce('{"a":1}');
  streams.announce('{"b":1}');
  const published = fleet.bus.fromNow();
  streams.hear({ kind: 'listening' });
  await settled();
  expect(published).toEqual([]);
  first.answer();
  await settled();
  expect(published).toHaveLength(1);
});
