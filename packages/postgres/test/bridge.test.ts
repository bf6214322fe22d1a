import { setTimeout as delay } from 'node:timers/promises';
import type { Principal } from '@toolwright/core';
import { until } from '../../../.ci/test/support/until.js';
import {
  bridgeNotifications,
  type NotificationBridge,
  type NotificationBridgeOptions,
} from '../src/index.js';
import { describePostgres } from './support/describe-postgres.js';
import { testPorts } from './support/test-ports.js';

interface Heard {
  readonly process: number;
  readonly uri: string;
  readonly to: ((principal: Principal | undefined) => boolean) | undefined;
}

describePostgres('a bridge from NOTIFY to the clients of a server', (postgres) => {
  let channels = 0;
  let channel: string;
  let announced: Heard[];
  let missed: number[];
  let bridges: NotificationBridge[];
  const ports = testPorts();
  beforeEach(() => {
    channel = `Tickets "${(channels += 1)}"`;
    [announced, missed, bridges] = [[], [], []];
  });
  afterEach(() => Promise.all(bridges.map((bridge) => bridge.close())));

  async function open(options: Partial<NotificationBridgeOptions> = {}): Promise<NotificationBridge> {
    const process = bridges.length;
    const server = {
      resourceUpdated: (uri: string, { to }: { to?: Heard['to'] } = {}) =>
        void announced.push({ process, uri, to }),
    };
    const bridge = await bridgeNotifications(server, {
      url: postgres.server.url,
      channel,
      checkInterval: 100,
      logger: ports.logger,
      read: (payload) => ({ uri: `ticket://${payload}` }),
      onMissed: () => void missed.push(process),
      ...options,
    });
    bridges.push(bridge);
    return bridge;
  }

  const notify = (...payloads: string[]) =>
    postgres.sql('SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload', [channel, payloads]);
  const heard = async (uri: string) => {
    await until(() => announced.some((each) => each.uri === uri));
  };
  const uris = () => announced.map(({ uri }) => uri);

  it('tells each change once, though every process listens', async () => {
    for (let count = 0; count < 3; count++) await open();
    expect(bridges.map(({ isTelling }) => isTelling)).toEqual([true, false, false]);
    await notify('1', '2');
    await heard('ticket://2');
    // Whatever the others did would have come before this one.
    await delay(200);
    await notify('3');
    await heard('ticket://3');
    expect(uris()).toEqual(['ticket://1', 'ticket://2', 'ticket://3']);
  });

  it('goes on in another process when the one that tells is gone, and loses nothing', async () => {
    for (let count = 0; count < 3; count++) await open();
    await notify('1');
    await heard('ticket://1');
    const holders = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted`;
    await postgres.sql(`SELECT pg_terminate_backend(pid) FROM (${holders}) AS held`);
    await notify('2');
    await until(() => bridges.some(({ isTelling }) => isTelling) && uris().includes('ticket://2'));
    await bridges.find(({ isTelling }) => isTelling)!.close();
    await notify('3');
    await heard('ticket://3');
    expect(new Set(uris())).toEqual(new Set(['ticket://1', 'ticket://2', 'ticket://3']));
  });

  it('says who may be told, and skips what is about no resource', async () => {
    await open({
      read(payload) {
        const { id, owner } = JSON.parse(payload) as { id?: string; owner?: string };
        if (id === undefined) return undefined;
        return { uri: `ticket://${id}`, to: (principal) => principal?.subject === owner };
      },
    });
    await notify('{}', 'no JSON', 'null', '{"id":"1","owner":"ann"}');
    await heard('ticket://1');
    expect(uris()).toEqual(['ticket://1']);
    const { to } = announced[0]!;
    expect([
      to!({ subject: 'ann', scopes: [] }),
      to!({ subject: 'bob', scopes: [] }),
      to!(undefined),
    ]).toEqual([true, false, false]);
    expect(ports.lines.join('\n')).toContain('A notification could not be published');
  });

  it('says what may have been missed after Postgres was away', async () => {
    await open();
    await postgres.server.halt();
    await postgres.server.launch();
    while (missed.length === 0) await delay(10);
    await notify('1');
    await heard('ticket://1');
    expect(missed).toEqual([0]);
  });

  it.each([
    ['a channel', { channel: '' }, /"channel"/],
    ['a function to read with', { read: undefined as never }, /"read"/],
    ['a connection besides the one that listens', { connections: 1 }, /at least 2 connections/],
  ])('needs %s', async (_what, options, expected) => {
    await expect(open(options)).rejects.toThrow(expected);
  });
});
