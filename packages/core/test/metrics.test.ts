import { Concurrency, RateLimit, RequireScopes, type McpServer } from '../src/index.js';
import { MemoryTaskQueue } from '@toolwright/testing';
import { serverMetrics } from '../src/observe/server-metrics.js';
import { boot } from './support/booting.js';
import { FakeClock, settled } from './support/fake-clock.js';
import { Gates } from './support/gates.js';
import { RecordedTelemetry } from './support/recorded-telemetry.js';
import { RecordingSink } from './support/recording-sink.js';
import { SessionWire } from './wire/session-wire.js';
import { StatelessWire } from './wire/stateless-wire.js';

const secrets = ['s'.repeat(32)];

let telemetry: RecordedTelemetry;
beforeAll(() => void (telemetry = new RecordedTelemetry()));
afterAll(() => telemetry.stop());

describe('the metrics of a server', () => {
  const clock = new FakeClock();
  const gates = new Gates();
  let server: McpServer;
  let queue: MemoryTaskQueue;
  let sink: RecordingSink & { health: () => { up: boolean; since: number; queued: number } };

  beforeEach(async () => {
    telemetry.reset();
    queue = new MemoryTaskQueue(clock);
    sink = Object.assign(new RecordingSink(), { health: () => ({ up: false, since: 0, queued: 300 }) });
    server = await boot({ stores: { tasks: queue }, services: [], ports: { clock }, audit: sink, secrets });
    const handler = () => 'done';
    server.tools.add({ name: 'limited', policies: [RateLimit.entry({ points: 1, per: '1h' })], handler });
    server.tools.add({ name: 'closed', policies: [RequireScopes.entry('admin')], handler });
    server.tools.add({ name: 'erase', annotations: { destructiveHint: true }, handler });
    server.tools.add({
      name: 'hold',
      inputSchema: { type: 'object', properties: { gate: { type: 'string' } } },
      policies: [Concurrency.entry({ max: 1 })],
      handler: async (args, { signal }) =>
        gates.wait(String(args['gate'] ?? 'gate'), signal).then(() => 'done'),
    });
  });

  afterEach(() => server.close(0).catch(() => undefined));

  interface Point {
    readonly value: number;
    readonly attributes: Readonly<Record<string, unknown>>;
  }

  async function collect(): Promise<
    ReadonlyMap<string, { readonly unit: string; readonly points: Point[] }>
  > {
    return new Map(
      (await telemetry.metrics()).map(({ descriptor, dataPoints }) => [
        descriptor.name,
        {
          unit: descriptor.unit,
          points: (dataPoints as Point[]).map(({ value, attributes }) => ({ value, attributes })),
        },
      ]),
    );
  }

  /** The points of the server of this test come last: earlier servers are closed, and measured all the same. */
  const points = async (name: keyof typeof serverMetrics) => (await collect()).get(name)?.points ?? [];

  test('count what is refused with its status of HTTP: 401, 403 and the rest', async () => {
    server.protocol.noteRefusal({ reason: 'TW_AUTHENTICATION', detail: 'missing', status: 401 });
    server.protocol.noteRefusal({ reason: 'TW_ADDRESS', detail: 'host', status: 403 });
    const http = { principal: { subject: 'ann', scopes: [] }, ip: undefined, transport: 'http' as const };
    await new StatelessWire(server, http).call('closed');
    await new StatelessWire(server, { ...http, principal: undefined }).call('closed');
    await StatelessWire.of(server, 'ann').call('no_such_tool');
    const refused = await points('toolwright.server.requests.refused');
    expect(refused.map(({ attributes }) => attributes)).toEqual(
      expect.arrayContaining([
        { 'error.type': 'TW_AUTHENTICATION', 'http.response.status_code': 401 },
        { 'error.type': 'TW_ADDRESS', 'http.response.status_code': 403 },
        {
          'error.type': 'TW_INSUFFICIENT_SCOPE',
          'gen_ai.tool.name': 'closed',
          'http.response.status_code': 403,
        },
        {
          'error.type': 'TW_INSUFFICIENT_SCOPE',
          'gen_ai.tool.name': 'closed',
          'http.response.status_code': 401,
        },
        { 'error.type': 'TW_UNKNOWN_NAME' },
      ]),
    );
  });

  test('count calls that met a limit, by tool', async () => {
    const wire = StatelessWire.of(server, 'ann');
    for (let call = 0; call < 3; call++) await wire.call('limited');
    expect(await points('toolwright.server.calls.limited')).toContainEqual({
      value: 2,
      attributes: { 'error.type': 'TW_RATE_LIMITED', 'gen_ai.tool.name': 'limited' },
    });
  });

  test('show sessions, streams, requests, and the slots of each pool', async () => {
    const wire = new SessionWire(server, { subject: 'bob' });
    const held = StatelessWire.of(server, 'ann').call('hold', { gate: 'metrics' });
    const waits = StatelessWire.of(server, 'ann').call('hold', { gate: 'metrics' });
    await settled();
    const now = await collect();
    const last = (name: string) => now.get(name)!.points.at(-1)!.value;
    expect(wire.opened.session).toBeDefined();
    expect(last('toolwright.server.sessions')).toBe(1);
    expect(last('toolwright.server.requests.active')).toBe(2);
    expect(now.get('toolwright.server.streams')!.points.at(-1)!.attributes).toEqual({
      'toolwright.stream.kind': 'listen',
    });
    const pool = { 'toolwright.slot.pool': 'tool hold' };
    expect(now.get('toolwright.server.slots.used')!.points).toContainEqual({ value: 1, attributes: pool });
    expect(now.get('toolwright.server.slots.waiting')!.points).toContainEqual({ value: 1, attributes: pool });
    expect(now.get('toolwright.server.slots.limit')!.points).toContainEqual({ value: 1, attributes: pool });
    gates.open('metrics');
    await held;
    await settled();
    gates.open('metrics');
    await waits;
  });

  test('show how deep the queue is, by tool and class of owner, and that it is empty again', async () => {
    const task = (id: string, owner: string) => ({ id, owner, ttlMs: null, pollIntervalMs: 1, tool: 'work' });
    queue.enqueue(task('a', '["","ann",""]'), 'job');
    queue.enqueue(task('b', '["","bob",""]'), 'job');
    queue.enqueue(task('c', ''), 'job');
    const depth = async () =>
      (await points('toolwright.server.tasks.depth')).map(({ value, attributes }) => [
        value,
        ...Object.values(attributes),
      ]);
    expect(await depth()).toEqual(
      expect.arrayContaining([
        [2, 'work', 'principal'],
        [1, 'work', 'anonymous'],
      ]),
    );
    for (const id of ['a', 'b', 'c']) queue.end(id, { status: 'cancelled' });
    await clock.advance(2_000);
    expect(await depth()).toEqual(
      expect.arrayContaining([
        [0, 'work', 'principal'],
        [0, 'work', 'anonymous'],
      ]),
    );
  });

  test('show an audit log that fails: what was refused, what waits, and that it is down', async () => {
    sink.before = () => {
      throw new Error('ENOSPC');
    };
    for (let call = 0; call < 4; call++) await StatelessWire.of(server, 'ann').call('erase');
    const failures = await points('toolwright.server.audit.failures');
    expect(failures).toContainEqual({ value: 4, attributes: { 'toolwright.audit.mode': 'strict' } });
    expect((await points('toolwright.server.audit.queued')).at(-1)!.value).toBe(300);
    expect(await points('toolwright.server.store.up')).toContainEqual({
      value: 0,
      attributes: { store: 'audit' },
    });
  });

  test('are those of the table, with its units, and their names follow OpenTelemetry', async () => {
    await StatelessWire.of(server, 'ann').call('limited');
    const now = await collect();
    const once = new Set(['toolwright.server.calls.abandoned']);
    for (const [name, [, unit]] of Object.entries(serverMetrics)) {
      expect(name).toMatch(/^toolwright\.server(\.[a-z]+)+$/);
      expect(name).not.toMatch(/total|seconds|count$/);
      expect(unit).toMatch(/^(s|\{[a-z]+\})$/);
      if (now.has(name)) expect(now.get(name)!.unit).toBe(unit);
      else expect(once).toContain(name);
    }
    const own = [...now.keys()].filter((name) => name.startsWith('toolwright.'));
    expect(own.filter((name) => !Object.hasOwn(serverMetrics, name))).toEqual([]);
  });
});
