import { randomUUID } from 'node:crypto';
import type { ServerEvent } from '@toolwright/core/ports';
import { UnreliableLink } from '@toolwright/testing';
import { postgresStores, type PostgresStores, type PostgresStoresOptions } from '../src/index.js';
import { describePostgres } from './support/describe-postgres.js';
import { HeardEvents } from './support/heard-events.js';
import { testPorts } from './support/test-ports.js';

const updated = (uri: string): ServerEvent => ({ type: 'resourceUpdated', uri });
const done = updated('test://done');

describePostgres('the event bus', (postgres) => {
  const opened: PostgresStores[] = [];
  const links: UnreliableLink[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((stores) => stores.close()));
    for (const link of links.splice(0)) await link.close();
  });

  async function open(options: Partial<PostgresStoresOptions>, ports = testPorts()): Promise<PostgresStores> {
    const stores = postgresStores({ url: postgres.server.url, timeout: 60_000, ...options });
    opened.push(stores);
    await stores.open(ports);
    return stores;
  }

  async function pair() {
    const schema = postgres.newSchema();
    const [one, two] = [await open({ schema }), await open({ schema })];
    return { schema, one: one.bus, two: two.bus, heard: new HeardEvents(two.bus) };
  }

  it('carries events of any size, in their order', async () => {
    const { schema, one, heard } = await pair();
    const events = [
      updated('test://first'),
      { type: 'sessionMessage', session: 's', sealed: 'x'.repeat(100_000) } as const,
      // With its frame, the largest that fits into a notification, and the smallest that does not.
      ...[7_850, 7_900, 7_950].map((length) => updated(`test://${'é'.repeat(length / 2)}`)),
      updated('test://last'),
    ];
    for (const event of events) void one.publish(event);
    expect(await heard.count(events.length)).toEqual(events);
    const rows = await postgres.sql(`SELECT event FROM ${schema}.events`);
    expect(rows.length).toBeGreaterThan(1);
  });

  it('brings its own events to a process once, and equal events as often as they were sent', async () => {
    const { one, two, heard } = await pair();
    const own = new HeardEvents(one);
    for (let times = 0; times < 3; times++) void one.publish(updated('test://same'));
    await heard.count(3);
    await two.publish(done);
    expect(await own.count(4)).toEqual([...Array(3).fill(updated('test://same')), done]);
    expect(heard.all).toHaveLength(4);
  });

  it('tells the others that they have missed events, when there are too many to send', async () => {
    const { one, heard } = await pair();
    for (let number = 0; number < 3_000; number++) void one.publish(updated(`test://${number}`));
    await heard.type('eventsMissed');
    expect(heard.all.length).toBeLessThan(2_000);
    await one.publish(done);
    await heard.count(heard.all.length + 1);
    expect(heard.all.at(-1)).toEqual(done);
  });

  it('takes an event whose row is gone for one that was missed', async () => {
    const { schema, one, heard } = await pair();
    await postgres.sql('SELECT pg_notify($1, $2)', [
      `${schema}_events`,
      `{"from":"other","row":"${randomUUID()}"}`,
    ]);
    await heard.count(1);
    await one.publish(done);
    expect(await heard.count(2)).toEqual([{ type: 'eventsMissed' }, done]);
  });

  it.each([
    'no JSON',
    'null',
    '{}',
    '{"from":"x"}',
    '{"from":"x","event":{"type":"resourceUpdated","uri":5}}',
    '{"from":"x","event":{"type":"toString"}}',
    '{"from":"x","row":"gone"}',
    '{"from":"x","row":7}',
    '{"from":"x","row":7,"event":{"type":"eventsMissed"}}',
    '{"event":{"type":"toolsListChanged"}}',
  ])('does not listen to %s, which anybody can send who may connect', async (payload) => {
    const { schema, one, heard } = await pair();
    await postgres.sql('SELECT pg_notify($1, $2)', [`${schema}_events`, payload]);
    await one.publish(done);
    expect(await heard.count(1)).toEqual([done]);
  });

  it('keeps servers apart that use other schemas', async () => {
    const [one, other] = [await pair(), await pair()];
    await one.one.publish(updated('test://one'));
    await one.heard.count(1);
    await other.one.publish(done);
    expect(await other.heard.count(1)).toEqual([done]);
  });

  it('survives a listener that fails, and logs it', async () => {
    const schema = postgres.newSchema();
    const ports = testPorts();
    const [one, two] = [await open({ schema }), await open({ schema }, ports)];
    two.bus.subscribe(() => {
      throw new Error('this listener fails on purpose');
    });
    const heard = new HeardEvents(two.bus);
    await one.bus.publish(done);
    expect(await heard.count(1)).toEqual([done]);
    await ports.logged('A listener failed on an event of another process');
  });

  it('warns when it listens through a pooler, which has process ids of its own', async () => {
    const link = await UnreliableLink.to(postgres.server.port, { rewrite: withOtherProcessId });
    links.push(link);
    const pooled = testPorts();
    const direct = testPorts();
    const url = `postgres://tester@127.0.0.1:${link.port}/postgres`;
    const schema = postgres.newSchema();
    await open({ url, schema }, pooled);
    await open({ url, schema, listenUrl: postgres.server.url }, direct);
    expect(pooled.lines.join()).toContain('listenUrl');
    expect(direct.lines).toEqual([]);
  });
});

/** Changes the message "BackendKeyData" (K, length 12, process id, key), as PgBouncer does. */
function withOtherProcessId(data: Buffer): Buffer {
  const at = data.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
  if (at >= 0) data.writeInt32BE(1, at + 5);
  return data;
}
