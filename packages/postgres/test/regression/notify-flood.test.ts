import type { ServerEvent } from '@toolwright/core/ports';
import { Client } from 'pg';
import { closedAfterEach } from '../../../../.ci/test/support/closed-after-each.js';
import { postgresStores, type PostgresStores } from '../../src/index.js';
import { describePostgres } from '../support/describe-postgres.js';
import { HeardEvents } from '../support/heard-events.js';
import { testPorts } from '../support/test-ports.js';

const updated = (uri: string): ServerEvent => ({ type: 'resourceUpdated', uri });

describePostgres('notifications of a role without rights', (postgres) => {
  const opened = closedAfterEach<PostgresStores>();

  async function pair() {
    const schema = postgres.newSchema();
    const [one, two] = [schema, schema].map((name) =>
      postgresStores({ url: postgres.server.url, schema: name }),
    );
    for (const stores of [one!, two!]) {
      opened.push(stores);
      await stores.open(testPorts());
    }
    return { schema, bus: one!.bus, heard: new HeardEvents(two!.bus) };
  }

  async function flood(schema: string, payload: string): Promise<void> {
    await postgres.sql(`DO $$ BEGIN CREATE ROLE stranger LOGIN; EXCEPTION WHEN duplicate_object THEN END $$`);
    const stranger = new Client(postgres.server.urlOf('stranger'));
    await stranger.connect();
    try {
      await stranger.query(`SELECT pg_notify($1, ${payload}) FROM generate_series(1, 20000) AS number`, [
        `${schema}_events`,
      ]);
    } finally {
      await stranger.end();
    }
  }

  it.each([
    ['rows that could be ours', `json_build_object('from', 'x', 'row', gen_random_uuid())::text`],
    ['rows that cannot be ours', `json_build_object('from', 'x', 'row', number::text)::text`],
    [
      'missed events',
      `json_build_object('from', 'x', 'number', number, 'event', json_build_object('type', 'eventsMissed'))::text`,
    ],
  ])('neither hold up real events nor make all clients ask again and again: %s', async (_what, payload) => {
    const { schema, bus, heard } = await pair();
    await bus.publish(updated('test://before'));
    await heard.type('resourceUpdated');
    await flood(schema, payload);
    // While the flood is read, a real event that is a row may count as missed. This one is heard after the flood.
    await bus.publish({ type: 'promptsListChanged' });
    await heard.type('promptsListChanged');
    await bus.publish({ type: 'sessionMessage', session: 's', sealed: 'x'.repeat(20_000) });
    await bus.publish({ type: 'toolsListChanged' });
    await heard.type('toolsListChanged');
    const kinds = heard.all.map(({ type }) => type);
    expect(kinds.filter((type) => type === 'eventsMissed').length).toBeLessThan(10);
    expect(kinds.filter((type) => type !== 'eventsMissed')).toEqual([
      'resourceUpdated',
      'promptsListChanged',
      'sessionMessage',
      'toolsListChanged',
    ]);
  });

  it('are told once more when some were missed within a second of the last time', async () => {
    const { schema, heard } = await pair();
    await flood(schema, `json_build_object('from', 'x', 'row', gen_random_uuid())::text`);
    // The first time says it at once. What is missed meanwhile comes as one more, and not never.
    await heard.count(2);
    expect(heard.all.every(({ type }) => type === 'eventsMissed')).toBe(true);
  });
});
