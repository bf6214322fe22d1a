import type { McpServer } from '@toolwright/core';
import { MemoryClaimStore, MemoryEventBus } from '@toolwright/core/ports';
import { SessionIds } from '../../src/sessions/session-id.js';
import { settled } from '../support/fake-clock.js';
import { Fleet, openedAt, secret, textOf } from '../support/fleet.js';
import { addRunner } from '../support/made-up-runner.js';
import { RecordingSink, SessionWire, type SessionClient } from '../wire/session-wire.js';

const capabilities = { elicitation: { form: {} }, roots: {} };
const HOUR = 3_600_000;

let fleet: Fleet;
let one: McpServer;
let two: McpServer;
beforeEach(async () => {
  fleet = new Fleet();
  one = await fleet.start();
  two = await fleet.start();
});
afterEach(() => fleet.stop());

const open = (client: SessionClient = {}) =>
  new SessionWire(one, { subject: 'ann', capabilities, ...client });

describe('A sealed session', () => {
  test('is served by any process, with what its handshake said', async () => {
    const there = await openedAt(two, open());
    expect(textOf(await there.request('tools/call', { name: 'whoami', arguments: {} }))).toBe('ann');
    expect(there.session).toMatchObject({
      revision: '2025-11-25',
      isResumed: true,
      client: { info: { name: 'test', version: '1' }, capabilities },
    });
  });

  test('survives the process that opened it', async () => {
    const wire = open();
    await fleet.stop();
    const later = await openedAt(await fleet.start(), wire);
    expect(textOf(await later.request('tools/call', { name: 'whoami', arguments: {} }))).toBe('ann');
  });

  test('survives being forgotten for want of use, or of room', async () => {
    const small = await fleet.start({ maxPerPrincipal: 1 });
    const [wire, newer] = [open().at(small), open().at(small)];
    await wire.resume();
    await newer.resume();
    expect(wire.session).toBeUndefined();
    await wire.resume();
    expect(wire.session).toBeDefined();
    await fleet.clock.advance(HOUR);
    expect(wire.session).toBeUndefined();
    await wire.resume();
    expect(wire.session).toBeDefined();
  });

  test('is resumed once, however many requests come at the same time', async () => {
    const there = open().at(two);
    const sessions = await Promise.all(Array.from({ length: 10 }, () => there.resume()));
    expect(new Set(sessions)).toEqual(new Set([there.session]));
    expect(two.protocol.load.sessions).toBe(1);
  });

  test.each<[string, (id: string) => string]>([
    ['changed', (id) => (id[80] === 'A' ? id.replace(id[80]!, 'B') : id.slice(0, 80) + 'A' + id.slice(81))],
    ['cut', (id) => id.slice(0, -4)],
    ['made up', () => 'x'.repeat(300)],
    ['far too long', (id) => id.repeat(1_000)],
  ])('is not resumed with an id that was %s', async (_how, change) => {
    const { id, peer } = open();
    expect(await two.protocol.resumeSession(change(id), peer)).toBeUndefined();
    expect(two.protocol.load.sessions).toBe(0);
  });

  test('belongs to its principal, to its server and to its secrets', async () => {
    const { id, peer } = open();
    const eve = { ...peer, principal: { subject: 'eve', scopes: [] } };
    expect(await two.protocol.resumeSession(id, eve)).toBeUndefined();
    expect(await two.protocol.resumeSession(id, { ...peer, principal: undefined })).toBeUndefined();
    const other = await fleet.start({}, { name: 'another' });
    const rotatedAway = await fleet.start({}, { secrets: ['n'.repeat(32)] });
    const rotated = await fleet.start({}, { secrets: ['n'.repeat(32), secret] });
    expect(await other.protocol.resumeSession(id, peer)).toBeUndefined();
    expect(await rotatedAway.protocol.resumeSession(id, peer)).toBeUndefined();
    expect(await rotated.protocol.resumeSession(id, peer)).toMatchObject({ id });
  });

  test('of another caller is not handed to one who asks while it is being resumed', async () => {
    const { id, peer } = open();
    const eve = { ...peer, principal: { subject: 'eve', scopes: [] } };
    const [mine, hers] = [two.protocol.resumeSession(id, peer), two.protocol.resumeSession(id, eve)];
    expect([await mine, await hers]).toEqual([expect.objectContaining({ id }), undefined]);
  });

  test('is unknown to a process that does not speak its revision, during a deployment', async () => {
    const stub = { revision: '2099-01-01' as never, client: { capabilities }, expires: 1e15 };
    const { peer } = open();
    const id = new SessionIds('test', [secret]).issue(stub, peer.principal);
    expect(await two.protocol.resumeSession(id, peer)).toBeUndefined();
  });

  test('ends when its id expires, even in use', async () => {
    const wire = open();
    await fleet.clock.advance(24 * HOUR - 1_000);
    const there = await openedAt(two, wire);
    expect(there.session).toBeDefined();
    await fleet.clock.advance(1_000);
    expect(there.session).toBeUndefined();
    expect(await there.resume()).toBeUndefined();
  });

  test('has an id below 400 characters, whatever the client says about itself', async () => {
    const huge = {
      ...capabilities,
      experimental: { x: 'x'.repeat(3_000) },
      extensions: { y: { z: 'ü'.repeat(900) } },
    };
    expect(open().id.length).toBeLessThan(330);
    const wire = open({ capabilities: huge });
    expect(wire.id.length).toBeLessThanOrEqual(400);
    expect(wire.session!.client.capabilities).toEqual(huge);
    const there = await openedAt(two, wire);
    expect(there.session!.client.capabilities).toEqual(capabilities);
  });

  test('says nothing to those who carry it, or to the stores', async () => {
    const keys: string[] = [];
    fleet.records = {
      ...fleet.records,
      get: () => undefined,
      set: (key) => void keys.push(key),
      delete: () => undefined,
    };
    const server = await fleet.start();
    const wire = new SessionWire(server, { subject: 'ann@example.org', capabilities });
    await wire.request('logging/setLevel', { level: 'error' });
    expect(Buffer.from(wire.id, 'base64url').toString('latin1')).not.toMatch(/2025-|ann@|test|elicit/);
    expect(keys).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  });
});

test('Messages to its client are stored so that only a process with the secrets can read or make them', async () => {
  const wire = open();
  const { stream, sink } = wire.open('tools/call', { name: 'talk', arguments: {} });
  stream.prime();
  await sink.inbox.find(({ result }) => result !== undefined);
  const { key } = wire.session!;
  const stored = fleet.events.after(key, stream.id, sink.eventIds[0]!);
  expect(stored).toHaveLength(sink.eventIds.length);
  expect(JSON.stringify(stored)).not.toMatch(/jsonrpc|said/);
  fleet.events.append(key, stream.id, { id: `${stream.id}_99`, text: '{"forged":true}' });
  const resumed = new RecordingSink();
  await (await openedAt(two, wire)).session!.streams.resume(sink.eventIds[0]!, resumed);
  expect(JSON.stringify(resumed.inbox.messages)).not.toContain('forged');
});

describe('The end of a sealed session', () => {
  test('holds at every process', async () => {
    const wire = open();
    const there = await openedAt(two, wire);
    await one.protocol.endSession(wire.id);
    expect([wire.session, there.session]).toEqual([undefined, undefined]);
    expect([await wire.resume(), await there.resume()]).toEqual([undefined, undefined]);
    expect(await wire.at(await fleet.start()).resume()).toBeUndefined();
  });

  test('is found out where the bus has lost it', async () => {
    const wire = open();
    const deaf = await fleet.start({}, { stores: { bus: new MemoryEventBus() } });
    const there = await openedAt(deaf, wire);
    await one.protocol.endSession(wire.id);
    expect(there.session).toBeDefined();
    await fleet.clock.advance(30_000);
    expect(there.session).toBeDefined();
    await settled();
    expect(there.session).toBeUndefined();
  });
});

describe('While the claims do not answer', () => {
  let isAway = true;
  const callOf = (name: string) => ['tools/call', { name, arguments: {} }] as const;
  beforeEach(() => {
    isAway = true;
    const claims = new MemoryClaimStore(fleet.clock);
    const has = (key: string) => {
      if (isAway) throw new Error('away');
      return claims.has(key);
    };
    fleet.claims = { claim: (...args) => claims.claim(...args), release: (key) => claims.release(key), has };
  });

  test('a session of another process only reads, until they answer', async () => {
    const server = await fleet.start();
    server.tools.add({
      name: 'look',
      description: 'Looks.',
      annotations: { readOnlyHint: true },
      handler: () => 'seen',
    });
    const there = await openedAt(server, open());
    expect(textOf(await there.request(...callOf('look')))).toBe('seen');
    expect((await there.request('tools/list')).result.tools.length).toBeGreaterThan(1);
    const refused = await there.request(...callOf('whoami'));
    expect(refused.error).toMatchObject({ code: -32603, data: { reason: 'session_unverified' } });
    const failures: [string | undefined, boolean][] = [];
    await addRunner(server, { annotations: { readOnlyHint: true }, failures });
    const wanted = [{ name: 'look' }, { name: 'whoami' }];
    const inner = await there.request('tools/call', { name: 'run_all', arguments: { wanted } });
    expect(JSON.parse(textOf(inner))).toEqual(['seen', refused.error.message]);
    expect(failures).toEqual([['TW_PROGRAM_REFUSED', false]]);
    isAway = false;
    await fleet.clock.advance(1_000);
    expect(there.session).toBeDefined();
    await settled();
    expect(textOf(await there.request(...callOf('whoami')))).toBe('ann');
    const said = fleet.logger.lines.filter(({ message }) => message.includes('which sessions have ended'));
    expect(said).toHaveLength(1);
  });

  test('it is refused where the application wants that', async () => {
    const server = await fleet.start({ whenUnverified: 'refuse' });
    expect(await open().at(server).resume()).toMatchObject({ status: 503, retryAfterMs: 10_000 });
    expect(server.protocol.load.sessions).toBe(0);
  });

  test('a session that this process has checked before goes on as it was', async () => {
    isAway = false;
    const server = await fleet.start();
    const there = await openedAt(server, open());
    isAway = true;
    await fleet.clock.advance(60_000);
    expect(there.session).toBeDefined();
    await settled();
    expect(textOf(await there.request(...callOf('whoami')))).toBe('ann');
  });
});

describe('What a client asked for', () => {
  test('holds at other processes, now and later', async () => {
    const wire = open();
    const there = await openedAt(two, wire);
    await wire.request('logging/setLevel', { level: 'error' });
    await wire.request('resources/subscribe', { uri: 'test://plain' });
    const third = await openedAt(await fleet.start(), wire);
    for (const each of [wire, there, third]) {
      expect(each.session!.logLevel).toBe('error');
      expect([...each.session!.subscriptions]).toEqual(['test://plain']);
    }
    await third.request('resources/unsubscribe', { uri: 'test://plain' });
    expect(wire.session!.subscriptions.size).toBe(0);
  });

  test('holds in its process while the store is away', async () => {
    const away = () => Promise.reject(new Error('away'));
    fleet.records = { get: away, set: away, delete: away };
    const server = await fleet.start();
    const wire = new SessionWire(server, { subject: 'ann' });
    expect((await wire.request('logging/setLevel', { level: 'error' })).result).toEqual({});
    expect(wire.session!.logLevel).toBe('error');
    expect((await openedAt(await fleet.start(), wire)).session!.logLevel).toBe('info');
  });
});
