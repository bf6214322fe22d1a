import type { StoredEvent } from '@toolwright/core/ports';
import { describePostgres } from './support/describe-postgres.js';
import { type AllStores, OpenedStores } from './support/opened-stores.js';
import { testPorts, type TestPorts } from './support/test-ports.js';

const event = (index: number, text = `event ${index}`): StoredEvent => ({ id: `a_${index}`, text });
const indices = (length: number) => Array.from({ length }, (_, index) => index);

describePostgres('streams in Postgres', (postgres) => {
  const opened = new OpenedStores();
  let schema: string;
  let ports: TestPorts;
  let mine: AllStores;
  let theirs: AllStores;
  beforeEach(async () => {
    schema = postgres.newSchema();
    ports = testPorts();
    const options = { url: postgres.server.url, schema, maxEvents: 10, maxEventBytes: 1_000 };
    mine = await opened.open(options, ports);
    theirs = await opened.open(options);
  });
  afterEach(() => opened.close());

  const idsAfter = async (id: string, stream = 'a') =>
    (await theirs.events.after('s', stream, id)).map((each) => each.id);
  const crash = async () => {
    await postgres.server.kill();
    await ports.logged('Postgres is away');
    await postgres.server.launch();
    await ports.logged('Postgres answers again');
  };

  it('are kept up to a number', async () => {
    for (const index of indices(15)) await mine.events.append('s', 'a', event(index));
    expect(await idsAfter('a_5')).toEqual(indices(9).map((index) => `a_${index + 6}`));
    expect(await idsAfter('a_4')).toHaveLength(10);
    expect(await idsAfter('a_3')).toEqual([]);
    expect(await postgres.sql(`SELECT FROM ${schema}.stream_events`)).toHaveLength(10);
  });

  it('are kept up to a number of bytes, without the newest event', async () => {
    for (const index of indices(6)) await mine.events.append('s', 'a', event(index, 'é'.repeat(200)));
    expect(await idsAfter('a_2')).toEqual(['a_3', 'a_4', 'a_5']);
    expect(await idsAfter('a_1')).toEqual([]);
    await mine.events.append('s', 'a', event(6, 'x'.repeat(5_000)));
    expect(await idsAfter('a_5')).toEqual(['a_6']);
    await mine.events.append('s', 'b', { id: 'b_0', text: '' });
    expect(await idsAfter('a_5')).toEqual([]);
  });

  it('that were silent while others went on are replayed to a client that has missed nothing of what is kept', async () => {
    await mine.events.append('s', 'a', event(0));
    for (const index of indices(12)) await mine.events.append('s', 'b', event(index));
    await mine.events.append('s', 'a', event(1));
    expect(await idsAfter('a_0')).toEqual(['a_1']);
  });

  it('wait while Postgres hangs or is started again, and are stored once and in order', async () => {
    await mine.events.append('s', 'a', event(0));
    await postgres.server.halt();
    await ports.logged('Postgres is away');
    const appended = [1, 2].map(async (index) => mine.events.append('s', 'a', event(index)));
    await postgres.server.launch();
    await Promise.all(appended);
    await mine.events.append('s', 'a', { ...event(3), last: true });
    while ((await idsAfter('a_0').catch(() => [])).length < 3);
    expect(await theirs.events.after('s', 'a', 'a_0')).toEqual([
      event(1),
      event(2),
      { ...event(3), last: true },
    ]);
  });

  it('are gone after a crash of Postgres, and what comes afterwards is replayed without a hole', async () => {
    await mine.sessions.set('kept', { subscriptions: ['test://a'] }, 60_000);
    for (const index of indices(3)) await mine.events.append('s', 'a', event(index));
    await crash();
    await mine.events.append('s', 'a', event(3));
    while ((await idsAfter('a_2').catch(() => [])).length < 1);
    expect(await idsAfter('a_2')).toEqual(['a_3']);
    expect(await idsAfter('a_1')).toEqual([]);
    expect(await theirs.sessions.get('kept')).toEqual({ subscriptions: ['test://a'] });
  });

  it('are not replayed across an event that was lost, because too many were waiting', async () => {
    for (const stream of ['a', 'b']) await mine.events.append('s', stream, { id: `${stream}_0`, text: '' });
    await postgres.server.halt();
    await ports.logged('Postgres is away');
    const waiting = indices(4_096).map(async (index) => mine.events.append('many', 'a', event(index)));
    await expect(mine.events.append('s', 'a', event(1))).rejects.toMatchObject({
      code: 'TW_POSTGRES_UNAVAILABLE',
      message: 'Too many events wait for Postgres.',
    });
    await postgres.server.launch();
    await Promise.all(waiting);
    await mine.events.append('s', 'b', { id: 'b_1', text: '' });
    await mine.events.append('s', 'a', event(2));
    await mine.events.append('s', 'a', event(3));
    expect(await idsAfter('a_0')).toEqual([]);
    expect(await idsAfter('b_0', 'b')).toEqual([]);
    expect(await idsAfter('a_2')).toEqual(['a_3']);
  }, 120_000);

  it('that are on their way are stored before the server ends, and those that cannot be end with it', async () => {
    await mine.events.append('s', 'a', event(0));
    const last = indices(5).map(async (index) => mine.events.append('s', 'a', event(index + 1)));
    await mine.close();
    await Promise.all(last);
    expect(await idsAfter('a_0')).toHaveLength(5);
    await expect(mine.events.append('s', 'a', event(6))).rejects.toThrow('before Postgres was back');
  });
});

describePostgres('cached results in Postgres', (postgres) => {
  const opened = new OpenedStores();
  afterEach(() => opened.close());

  it('are kept up to a number of bytes each, and unknown while Postgres is away', async () => {
    const ports = testPorts();
    const options = { url: postgres.server.url, schema: postgres.newSchema(), maxCachedBytes: 100 };
    const { cache } = await opened.open(options, ports);
    await cache.set('small', 'x'.repeat(98), 60_000);
    await cache.set('large', 'é'.repeat(50), 60_000);
    await cache.set('nothing', undefined, 60_000);
    expect(await cache.get('small')).toHaveLength(98);
    expect(await cache.get('large')).toBeUndefined();
    expect(await cache.get('nothing')).toBeUndefined();
    await postgres.server.halt();
    await ports.logged('Postgres is away');
    expect(await cache.get('small')).toBeUndefined();
    await cache.set('small', 1, 60_000);
    await postgres.server.launch();
  });
});
