import type { McpServer } from '@toolwright/core';
import { Fleet, openedAt } from '../support/fleet.js';
import { settled } from '../support/fake-clock.js';
import { SessionWire } from '../wire/session-wire.js';

let fleet: Fleet;
let one: McpServer;
beforeEach(async () => {
  fleet = new Fleet();
  one = await fleet.start();
});
afterEach(() => fleet.stop());

const open = (server = one) => new SessionWire(server, { subject: 'ann' });

describe('What processes tell each other', () => {
  test('is short, however much a client has subscribed to', async () => {
    await fleet.start();
    const { session } = open();
    const announced: number[] = [];
    fleet.bus.subscribe((event) => event.type === 'sessionMessage' && announced.push(event.sealed.length));
    for (let count = 0; count < 100; count++)
      await session!.subscribe(`test://${count}/${'x'.repeat(1_000)}`);
    expect(announced).toHaveLength(100);
    expect(Math.max(...announced)).toBeLessThan(2_000);
  });

  test('keeps what a client subscribes to at two processes', async () => {
    const two = await fleet.start();
    const wire = open();
    const there = await openedAt(two, wire);
    const [mine, theirs] = [wire.session!, there.session!];
    const published = fleet.bus.fromNow();
    fleet.bus.losesNext = Infinity;
    await mine.subscribe('test://a');
    await theirs.subscribe('test://b');
    const [first, second] = published;
    fleet.bus.losesNext = 0;
    for (const event of [first!, second!]) fleet.bus.publish(event);
    expect([[...mine.subscriptions], [...theirs.subscriptions]]).toEqual([
      ['test://a', 'test://b'],
      ['test://b', 'test://a'],
    ]);
  });

  test('is heard by the session that it is about, and by no other', async () => {
    const [wire, other] = [open(), open()];
    const heard = jest.spyOn(other.session!, 'hear');
    wire.hear({ method: 'notifications/initialized' });
    one.tools.remove('talk');
    await settled();
    expect(heard.mock.calls.map(([{ type }]) => type)).toEqual(['toolsListChanged']);
  });

  test('is not what clients make up', () => {
    const wire = open();
    const published = fleet.bus.fromNow();
    wire.hear({ method: 'notifications/cancelled', params: { requestId: 'x'.repeat(100_000) } });
    wire.hear({ id: `server-${'x'.repeat(100_000)}`, result: {} });
    wire.hear({ id: 'server-1', result: {} });
    expect(published).toEqual([]);
  });
});

test('A client cannot make the record of its session very long', async () => {
  const wire = open();
  for (let count = 0; count < 32; count++) await wire.session!.subscribe(`${count} ${'x'.repeat(8_180)}`);
  const refused = await wire.request('resources/subscribe', { uri: 'test://plain' });
  expect(refused.error?.message).toBeUndefined();
  await wire.session!.subscribe('x'.repeat(8_180));
  const { error } = await wire.request('resources/subscribe', { uri: 'test://plain' });
  expect(error.message).toContain('Too many subscriptions');
});
