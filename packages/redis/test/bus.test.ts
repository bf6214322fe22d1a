import type { ServerEvent } from '@toolwright/core/ports';
import { openStores, type OpenStores } from './support/open-stores.js';
import { describeWithRedis } from './support/redis-server.js';

describeWithRedis('events over Redis', (server) => {
  let mine: OpenStores;
  let theirs: OpenStores;

  beforeEach(async () => {
    [mine, theirs] = await Promise.all([openStores({ url: server.url }), openStores({ url: server.url })]);
  });

  afterEach(async () => {
    await mine.close();
    await theirs.close();
  });

  /** Resolves with the events up to the last one. */
  function eventsUntil({ bus }: OpenStores, last: ServerEvent['type']): Promise<ServerEvent[]> {
    const seen: ServerEvent[] = [];
    return new Promise((resolve) => {
      bus.subscribe((event) => {
        seen.push(event);
        if (event.type === last) resolve(seen);
      });
    });
  }

  it('reach each listener once, those of the publisher at once', async () => {
    const there = eventsUntil(theirs, 'promptsListChanged');
    const seen: ServerEvent[] = [];
    mine.bus.subscribe((event) => void seen.push(event));

    void mine.bus.publish({ type: 'toolsListChanged' });
    expect(seen).toEqual([{ type: 'toolsListChanged' }]);
    await mine.bus.publish({ type: 'promptsListChanged' });
    expect(await there).toEqual([{ type: 'toolsListChanged' }, { type: 'promptsListChanged' }]);

    // This answer comes after all that Redis has of the first events.
    const answer = eventsUntil(mine, 'taskChanged');
    await theirs.bus.publish({ type: 'taskChanged', taskId: 't' });
    expect(await answer).toEqual([{ type: 'taskChanged', taskId: 't' }]);
    expect(seen).toHaveLength(3);
  });

  it('are ignored when nobody of this version has sent them, and the log says so once', async () => {
    const seen = eventsUntil(mine, 'promptsListChanged');
    const from = 'somebody';
    const messages = [
      'no JSON',
      'null',
      '{}',
      JSON.stringify({ from, event: null }),
      JSON.stringify({ from, event: { type: 'unknown' } }),
      JSON.stringify({ from, event: { type: 'constructor' } }),
      JSON.stringify({ from, event: { type: 'resourceUpdated', uri: 7 } }),
      JSON.stringify({ event: { type: 'toolsListChanged' } }),
    ];
    for (const message of messages) server.cli('PUBLISH', 'toolwright:bus', message);
    server.cli('PUBLISH', 'toolwright:bus', JSON.stringify({ from, event: { type: 'promptsListChanged' } }));

    expect(await seen).toEqual([{ type: 'promptsListChanged' }]);
    expect(mine.log.lines).toMatchObject([{ level: 'warn', fields: { channel: 'toolwright:bus' } }]);
  });

  it('reach all listeners when one of them throws, and the log tells of it', async () => {
    mine.bus.subscribe(() => {
      throw new Error('the listener fails');
    });
    const seen = eventsUntil(mine, 'toolsListChanged');
    await theirs.bus.publish({ type: 'toolsListChanged' });
    await seen;
    await mine.log.heard('A listener of the event bus failed');
  });

  it('stay within the prefix of a server', async () => {
    const stranger = await openStores({ url: server.url, prefix: 'another:' });
    const seen = eventsUntil(stranger, 'promptsListChanged');
    await mine.bus.publish({ type: 'toolsListChanged' });
    await mine.claims.claim('after the event', 1_000);
    server.cli(
      'PUBLISH',
      'another:bus',
      JSON.stringify({ from: 'another', event: { type: 'promptsListChanged' } }),
    );
    expect(await seen).toEqual([{ type: 'promptsListChanged' }]);
    expect(await mine.claims.claim('a', 1_000)).toBe(true);
    expect(await stranger.claims.claim('a', 1_000)).toBe(true);
    await stranger.close();
  });
});
