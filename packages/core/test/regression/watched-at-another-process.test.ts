import type { McpServer } from '@toolwright/core';
import { extend } from '@toolwright/core/extend';
import { Fleet, openedAt } from '../support/fleet.js';
import { SessionWire } from '../wire/session-wire.js';

let fleet: Fleet;
let one: McpServer;
let two: McpServer;
let heard: [uri: string, isWatched: () => boolean][];
beforeEach(async () => {
  fleet = new Fleet();
  one = await fleet.start();
  two = await fleet.start();
  heard = [];
  const watched = (uri: string, isWatched: () => boolean) => heard.push([uri, isWatched]);
  await extend(two, { name: 'watching', start: () => ({ watched }) });
});
afterEach(() => fleet.stop());

describe('A package hears what a client watches', () => {
  test('when the client has begun at another process and comes to this one', async () => {
    const wire = new SessionWire(one, { subject: 'ann' });
    await wire.request('resources/subscribe', { uri: 'test://plain' });
    expect(heard).toEqual([]);
    await openedAt(two, wire);
    expect(heard.map(([uri]) => uri)).toEqual(['test://plain']);
    expect(heard[0]![1]()).toBe(true);
  });

  test('when the client begins at another process while this one has its session', async () => {
    const wire = new SessionWire(one, { subject: 'ann' });
    await openedAt(two, wire);
    await wire.request('resources/subscribe', { uri: 'test://plain' });
    expect(heard.map(([uri]) => uri)).toEqual(['test://plain']);
    await wire.request('resources/unsubscribe', { uri: 'test://plain' });
    expect(heard[0]![1]()).toBe(false);
  });
});
