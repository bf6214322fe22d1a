import type { StoredEvent } from '@toolwright/core/ports';
import { openStores, type OpenStores } from '../support/open-stores.js';
import { describeWithRedis, RedisServer } from '../support/redis-server.js';

const event = (index: number): StoredEvent => ({ id: `a_${index}`, text: `event ${index}` });

describeWithRedis('a record in Redis that somebody else has written', () => {
  let server: RedisServer;
  let stores: OpenStores;
  beforeEach(async () => {
    server = await RedisServer.start();
    stores = await openStores({ url: server.url, maxEvents: 3 });
  });
  afterEach(async () => {
    await stores.close();
    await server.stop();
  });
  const keyOf = (part: string) =>
    server
      .cli('KEYS', `*${part}*`)
      .trim()
      .split('\n')
      .find((key) => !/:(bytes|removed)$/.test(key))!;

  it('counts as no record of its session, and not as an outage', async () => {
    await stores.sessions.set('a', { subscriptions: ['x:'] }, 60_000);
    server.cli('SET', keyOf('session:'), '{no json');
    expect(await stores.sessions.get('a')).toBeUndefined();
    expect(stores.health().every(({ up }) => up)).toBe(true);
  });

  it('stops neither the events behind it nor their replay', async () => {
    await stores.events.append('s', 'a', event(0));
    server.cli('XADD', keyOf('events:'), '*', 'stream', 'a');
    for (let index = 1; index < 6; index++) await stores.events.append('s', 'a', event(index));
    expect(await stores.events.after('s', 'a', 'a_3')).toEqual([event(4), event(5)]);
    server.cli('XADD', keyOf('events:'), '*', 'stream', 'a');
    expect(await stores.events.after('s', 'a', 'a_4')).toEqual([event(5), { id: '', text: '' }]);
  });
});
