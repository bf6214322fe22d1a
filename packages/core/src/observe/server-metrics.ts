import type { Attributes, Counter, Meter, MetricOptions, Observable } from '@opentelemetry/api';
import { operationKinds } from '@toolwright/ground/base/operation-kinds';
import { type Environment, poolsOf } from '@toolwright/ground/call/environment';
import type { JudgedCall } from '@toolwright/ground/call/security/security-monitor';
import type { MeasuredPool, MetricCounters, MetricSources } from '@toolwright/ground/ports/telemetry';
import { lostWrites } from '@toolwright/json';

type Kind = 'counter' | 'upDown' | 'gauge';

const metric =
  <K extends Kind>(kind: K) =>
  (unit: string, description: string) =>
    [kind, unit, description] as const;
const [counter, upDown, gauge] = [metric('counter'), metric('upDown'), metric('gauge')];

/**
 * Every metric of a server besides the duration of its operations. The names follow OpenTelemetry: a namespace, no unit
 * and no `total` in the name, units in UCUM or in braces. A test holds the dashboard and the alerts to this table.
 */
export const serverMetrics = {
  'toolwright.server.calls.abandoned': upDown(
    '{call}',
    'Calls that were answered at their deadline or cancelled, and whose work runs on.',
  ),
  'toolwright.server.calls.limited': counter(
    '{call}',
    'Calls that were refused because a limit was reached: of points, of slots, or of the whole server.',
  ),
  'toolwright.server.requests.refused': counter(
    '{request}',
    'Requests that were refused: who called was not known, or may not do it, or the request was wrong.',
  ),
  'toolwright.server.requests.active': upDown('{request}', 'Requests that are being answered.'),
  'toolwright.server.sessions': upDown(
    '{session}',
    'Sessions of clients with a handshake that this process has.',
  ),
  'toolwright.server.streams': upDown('{stream}', 'Open streams, by kind.'),
  'toolwright.server.slots.used': upDown('{slot}', 'Slots that calls hold, by pool.'),
  'toolwright.server.slots.limit': upDown('{slot}', 'Slots that a pool has in all, where that is limited.'),
  'toolwright.server.slots.waiting': upDown('{call}', 'Calls that wait for a slot, by pool.'),
  'toolwright.server.store.up': upDown(
    '{store}',
    '1 while a store does what this process needs of it, 0 while it does not.',
  ),
  'toolwright.server.audit.failures': counter(
    '{record}',
    'Records that could not be stored, by the mode of their call.',
  ),
  'toolwright.server.audit.queued': upDown('{record}', 'Records that wait to be stored.'),
  'toolwright.server.log.lost': counter(
    '{line}',
    'Lines of standard error and standard output that could not be written.',
  ),
  'toolwright.server.tasks.waiting': gauge('{task}', 'Tasks on the queue whose work could begin now.'),
  'toolwright.server.tasks.running': gauge('{task}', 'Tasks on the queue that workers hold.'),
  'toolwright.server.tasks.dead': gauge(
    '{task}',
    'Tasks that ended in a way that an operator should look at.',
  ),
  'toolwright.server.tasks.oldest': gauge('s', 'How long the oldest waiting task has waited.'),
  'toolwright.server.tasks.depth': gauge('{task}', 'Waiting tasks, by tool and by the class of their owner.'),
} satisfies Record<string, readonly [kind: Kind, unit: string, description: string]>;

type MetricName = keyof typeof serverMetrics;

/** The instruments of one server. They are made when the SDK is there. */
export class ServerMetrics implements MetricCounters {
  readonly #refused: Counter;
  readonly #limited: Counter;

  constructor(
    private readonly meter: Meter,
    private readonly sources: MetricSources,
  ) {
    const counter = (name: MetricName) => meter.createCounter(name, optionsOf(name));
    this.#refused = counter('toolwright.server.requests.refused');
    this.#limited = counter('toolwright.server.calls.limited');
    this.#countAbandoned();
    this.#watchProcess();
    this.#watchRecords();
    this.#watchTasks();
  }

  countRefused(reason: string, attributes: Attributes = {}, status?: number): void {
    const code = status !== undefined && { 'http.response.status_code': status };
    this.#refused.add(1, { 'error.type': reason, ...attributes, ...code });
  }

  countLimited(reason: string, attributes: Attributes): void {
    this.#limited.add(1, { 'error.type': reason, ...attributes });
  }

  /**
   * Counts abandoned work by operation. An operation that once had some is still reported afterwards, so that
   * the end is visible, too.
   */
  #countAbandoned(): void {
    const known = new Map<string, Attributes>();
    this.#observe('toolwright.server.calls.abandoned', (observe) => {
      const now = new Map<string, number>();
      for (const { kind, name, abandoned } of this.sources.work.report()) {
        if (abandoned === 0) continue;
        now.set(`${kind} ${name}`, abandoned);
        known.set(`${kind} ${name}`, { [operationKinds[kind].attribute]: name });
      }
      for (const [key, attributes] of known) observe(now.get(key) ?? 0, attributes);
    });
  }

  #watchProcess(): void {
    const { requests, sessions, streams, slots, stores } = this.sources;
    this.#observe('toolwright.server.requests.active', (observe) => observe(requests()));
    this.#observe('toolwright.server.sessions', (observe) => observe(sessions()));
    this.#observe('toolwright.server.streams', (observe) => {
      for (const [kind, count] of streams()) observe(count, { 'toolwright.stream.kind': kind });
    });
    const ofPools = (name: MetricName, value: (pool: MeasuredPool) => number) =>
      this.#observe(name, (observe) => {
        for (const pool of slots())
          if (Number.isFinite(value(pool))) observe(value(pool), { 'toolwright.slot.pool': pool.name });
      });
    ofPools('toolwright.server.slots.used', ({ running }) => running);
    ofPools('toolwright.server.slots.waiting', ({ waiting }) => waiting);
    ofPools('toolwright.server.slots.limit', ({ total }) => total);
    this.#observe('toolwright.server.store.up', (observe) => {
      for (const { store, up } of stores()) observe(up ? 1 : 0, { store });
    });
  }

  #watchRecords(): void {
    const { audit } = this.sources;
    const counter = (name: MetricName) => this.meter.createObservableCounter(name, optionsOf(name));
    counter('toolwright.server.log.lost').addCallback((observed) => observed.observe(lostWrites()));
    counter('toolwright.server.audit.failures').addCallback((observed) => {
      for (const [mode, count] of Object.entries(audit()?.failures ?? {}))
        observed.observe(count, { 'toolwright.audit.mode': mode });
    });
    this.#observe('toolwright.server.audit.queued', (observe) => {
      const { queued } = audit()?.health() ?? {};
      if (queued !== undefined) observe(queued);
    });
  }

  /** All processes measure the same queue, so its figures are not to be added up over processes. */
  #watchTasks(): void {
    const gauge = (name: MetricName) => this.meter.createObservableGauge(name, optionsOf(name));
    const waiting = gauge('toolwright.server.tasks.waiting');
    const running = gauge('toolwright.server.tasks.running');
    const dead = gauge('toolwright.server.tasks.dead');
    const oldest = gauge('toolwright.server.tasks.oldest');
    const depth = gauge('toolwright.server.tasks.depth');
    /** What was waiting once is reported afterwards, so that its end is visible, too. */
    const known = new Map<string, Attributes>();
    this.meter.addBatchObservableCallback(
      async (observed) => {
        const load = await this.sources.tasks();
        if (!load) return;
        observed.observe(waiting, load.waiting);
        observed.observe(running, load.running);
        observed.observe(dead, load.dead);
        observed.observe(oldest, load.oldestMs / 1_000);
        const now = new Map<string, number>();
        for (const { tool, ownerClass, waiting: count } of load.depth ?? []) {
          now.set(`${ownerClass} ${tool}`, count);
          known.set(`${ownerClass} ${tool}`, {
            'gen_ai.tool.name': tool,
            'toolwright.owner.class': ownerClass,
          });
        }
        for (const [key, attributes] of known) observed.observe(depth, now.get(key) ?? 0, attributes);
      },
      [waiting, running, dead, oldest, depth],
    );
  }

  #observe(
    name: MetricName,
    look: (observe: (value: number, attributes?: Attributes) => void) => void,
  ): void {
    const options = optionsOf(name);
    const instrument: Observable = this.meter.createObservableUpDownCounter(name, options);
    instrument.addCallback((observed) => look((value, attributes) => observed.observe(value, attributes)));
  }
}

function optionsOf(name: MetricName): MetricOptions {
  const [, unit, description] = serverMetrics[name];
  return { unit, description };
}

/** Counts a call that a guard has refused. Only existing names are used, so there are few different values. */
export function countRefusedCall(
  { metrics }: { readonly metrics: MetricCounters | undefined },
  { operation, request, verdict }: JudgedCall,
): void {
  if (!metrics) return;
  const { reason = 'denied', outcome } = verdict;
  const { kind, name, versionOf = name } = operation;
  // As in spans and durations: versions are one tool.
  const target = { [operationKinds[kind].attribute]: versionOf };
  if (outcome === 'limited') return metrics.countLimited(reason, target);
  const isHttp = request.transport === 'http' && reason === 'TW_INSUFFICIENT_SCOPE';
  metrics.countRefused(reason, target, isHttp ? (request.principal ? 403 : 401) : undefined);
}

/**
 * What each pool of slots has: the server's own, and those of `@Concurrency`. Operations of one name for different callers
 * have a pool each, and count together: a metric has one value for each name.
 */
export function measuredPools(environment: Pick<Environment, 'slots' | 'pools'>): MeasuredPool[] {
  const measured = new Map<string, MeasuredPool>();
  for (const [name, { load, limits }] of poolsOf(environment)) {
    const known = measured.get(name) ?? { name, running: 0, waiting: 0, total: 0 };
    measured.set(name, {
      name,
      running: known.running + load.running,
      waiting: known.waiting + load.waiting,
      total: known.total + limits.total,
    });
  }
  return [...measured.values()];
}
