import { operationKinds, type OperationKind } from '../../base/operation-kinds.js';
import type {
  Attributes,
  Context,
  Counter,
  Histogram,
  Meter,
  Span,
  TextMapGetter,
  TextMapSetter,
  Tracer,
} from '@opentelemetry/api';
import type { StoreHealth } from '../../ports/server-stores.js';
import type { QueueLoad } from '../../ports/task-queue.js';
import type { Clock } from '../../ports/clock.js';
import type { TraceContext } from '../../base/request-context.js';

type Api = typeof import('@opentelemetry/api');

/** One request for telemetry. The names follow the MCP semantic conventions of OpenTelemetry. */
export interface Observed {
  /** The method of the protocol: `tools/call`. */
  method: string;
  /**
   * The name of the tool or prompt, if there is one. Only existing names are used, so there are few different
   * values.
   */
  target?: {
    attribute: 'gen_ai.tool.name' | 'gen_ai.prompt.name' | 'toolwright.schedule.name';
    name: string;
  };
  /**
   * This is not the type of the OpenTelemetry package: where that optional peer is missing, its types are
   * missing, too, and apps would not compile.
   */
  attributes: Record<string, string | number | boolean | undefined>;
  /** The caller's trace context, from `_meta` or the HTTP headers. */
  trace: TraceContext;
}

/** A request that is being traced. */
export interface Observation {
  /** The trace context of the span, for everything that the request calls. */
  readonly trace: TraceContext;
  /** Runs `work` while the span is the active one. */
  run<T>(work: () => T): T;
  /**
   * Ends the span.
   *
   * @param errorType a JSON-RPC code as text, or `tool_error`; undefined when there was no error
   */
  end(errorType?: string, message?: string): void;
}

const getter: TextMapGetter<TraceContext> = {
  keys: (carrier) => Object.keys(carrier),
  get: (carrier, key) => carrier[key as keyof TraceContext],
};
const setter: TextMapSetter<TraceContext> = {
  set: (carrier, key, value) => void (carrier[key as keyof TraceContext] = value),
};

/** The place where every copy of the API with major version 1 keeps what an SDK has registered. */
export const SDK = Symbol.for('opentelemetry.js.api.1');

let api: Api | undefined;
let absent = false;

/**
 * The OpenTelemetry API, if an SDK has registered itself with it. Otherwise this only reads one property:
 * nothing is loaded, and nothing is measured.
 */
function activeApi(): Api | undefined {
  if (!(SDK in globalThis) || absent) return undefined;
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- an optional peer, only for those who use it
    return (api ??= require('@opentelemetry/api') as Api);
  } catch {
    absent = true;
    return undefined;
  }
}

const NAME = '@toolwright/core';
const FLUSH_MS = 5_000;

/** The measured part of the work that still runs for one operation. */
interface MeasuredWork {
  readonly kind: OperationKind;
  readonly name: string;
  readonly abandoned: number;
}

/** Traces and measures requests through `@opentelemetry/api`. One per server. */
export class Telemetry {
  #tracer: Tracer | undefined;
  #durations: Histogram | undefined;
  #ticks: Counter | undefined;

  /**
   * @param work tells what still runs in the server; it is asked when metrics are collected
   * @param stores tells which shared stores answer; it is asked at the same time
   * @param tasks tells how much waits on the task queue, if there is one
   */
  constructor(
    private readonly work: { report(): readonly MeasuredWork[] },
    private readonly stores: () => readonly StoreHealth[] = () => [],
    private readonly tasks: () => Promise<QueueLoad | undefined> | undefined = () => undefined,
  ) {}

  /**
   * Starts to observe a request. Returns `undefined` when no OpenTelemetry SDK is registered.
   *
   * @param describe called only when an SDK is registered
   */
  observe(describe: () => Observed): Observation | undefined {
    const otel = activeApi();
    if (!otel) return undefined;
    this.#tracer ??= otel.trace.getTracer(NAME);
    this.#durations ??= this.#measure(otel.metrics.getMeter(NAME));
    return new ActiveObservation(otel, describe(), { tracer: this.#tracer, durations: this.#durations });
  }

  /**
   * Counts what became of a moment at which a schedule was due.
   *
   * @param outcome `begun`, `overlapping` (left out, because the run before went on) or `missed`
   */
  countTick(schedule: string, outcome: string): void {
    const otel = activeApi();
    this.#ticks ??= otel?.metrics.getMeter(NAME).createCounter('toolwright.server.schedule.ticks', {
      unit: '{tick}',
      description: 'Moments at which a schedule was due, by what became of them.',
    });
    this.#ticks?.add(1, { 'toolwright.schedule.name': schedule, 'toolwright.schedule.outcome': outcome });
  }

  #measure(meter: Meter): Histogram {
    this.#countAbandoned(meter);
    this.#watchStores(meter);
    this.#watchTasks(meter);
    return meter.createHistogram('mcp.server.operation.duration', {
      unit: 's',
      description: 'Duration of MCP requests as the server sees them.',
      advice: { explicitBucketBoundaries: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300] },
    });
  }

  /**
   * Counts abandoned work by operation. An operation that once had some is still reported afterwards, so that
   * the end is visible, too.
   */
  #countAbandoned(meter: Meter): void {
    const known = new Map<string, Attributes>();
    const counter = meter.createObservableUpDownCounter('toolwright.server.calls.abandoned', {
      unit: '{call}',
      description: 'Calls that were answered at their deadline or cancelled, and whose work runs on.',
    });
    counter.addCallback((observed) => {
      const now = new Map<string, number>();
      for (const { kind, name, abandoned } of this.work.report()) {
        if (abandoned === 0) continue;
        now.set(`${kind} ${name}`, abandoned);
        known.set(`${kind} ${name}`, { [operationKinds[kind].attribute]: name });
      }
      for (const [key, attributes] of known) observed.observe(now.get(key) ?? 0, attributes);
    });
  }

  #watchStores(meter: Meter): void {
    const gauge = meter.createObservableGauge('toolwright.server.store.up', {
      unit: '1',
      description: '1 while a store that processes share answers this process, 0 while it does not.',
    });
    gauge.addCallback((observed) => {
      for (const { store, up } of this.stores()) observed.observe(up ? 1 : 0, { store });
    });
  }

  /** All processes measure the same queue, so its figures are not to be added up over processes. */
  #watchTasks(meter: Meter): void {
    const gauge = (name: string, unit: string, description: string) =>
      meter.createObservableGauge(`toolwright.server.tasks.${name}`, { unit, description });
    const waiting = gauge('waiting', '{task}', 'Tasks on the queue whose work could begin now.');
    const running = gauge('running', '{task}', 'Tasks on the queue that workers hold.');
    const dead = gauge('dead', '{task}', 'Tasks that ended in a way that an operator should look at.');
    const oldest = gauge('oldest', 's', 'How long the oldest waiting task has waited.');
    meter.addBatchObservableCallback(
      async (observed) => {
        const load = await this.tasks();
        if (!load) return;
        observed.observe(waiting, load.waiting);
        observed.observe(running, load.running);
        observed.observe(dead, load.dead);
        observed.observe(oldest, load.oldestMs / 1_000);
      },
      [waiting, running, dead, oldest],
    );
  }

  /**
   * Sends what the SDK still holds. It takes five seconds at most, so telemetry that cannot be sent does not
   * keep the process from ending.
   */
  async flush(clock: Pick<Clock, 'after'>): Promise<void> {
    const otel = activeApi();
    if (!otel) return;
    const providers = [otel.trace.getTracerProvider(), otel.metrics.getMeterProvider()];
    let cancel = () => {};
    const elapsed = new Promise<void>((resolve) => (cancel = clock.after(FLUSH_MS, resolve)));
    await Promise.race([Promise.allSettled(providers.map(forceFlush)), elapsed]);
    cancel();
  }
}

/** The part of an SDK's provider that is needed. The API may hold a proxy for the real provider. */
interface Flushable {
  forceFlush?(): Promise<void>;
  getDelegate?(): Flushable;
}

async function forceFlush(registered: object): Promise<void> {
  const provider: Flushable = registered;
  await (provider.getDelegate?.() ?? provider).forceFlush?.();
}

/** The place of a span in the form of W3C; undefined for a span that nobody records and that continues none. */
function traceOf(otel: Api, span: Span): TraceContext | undefined {
  const context = span.spanContext();
  if (!otel.isSpanContextValid(context)) return undefined;
  const { traceId, spanId, traceFlags } = context;
  return { traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}` };
}

class ActiveObservation implements Observation {
  readonly trace: TraceContext = {};
  readonly #span: Span;
  readonly #context: Context;
  readonly #started = performance.now();
  readonly #attributes: Attributes;

  constructor(
    private readonly otel: Api,
    { method, target, attributes, trace }: Observed,
    private readonly instruments: { tracer: Tracer; durations: Histogram },
  ) {
    const named = target && { [target.attribute]: target.name };
    const isTool = target?.attribute === 'gen_ai.tool.name';
    const operation = isTool && { 'gen_ai.operation.name': 'execute_tool' };
    this.#attributes = { 'mcp.method.name': method, ...named, ...operation };
    // The message's own trace context wins over the one that the HTTP instrumentation made from the
    // connection.
    const ambient = otel.context.active();
    const parent = trace.traceparent ? otel.propagation.extract(ambient, trace, getter) : ambient;
    this.#span = instruments.tracer.startSpan(
      target ? `${method} ${target.name}` : method,
      { kind: otel.SpanKind.SERVER, attributes: { ...attributes, ...this.#attributes } },
      parent,
    );
    this.#context = otel.trace.setSpan(parent, this.#span);
    otel.propagation.inject(this.#context, this.trace, setter);
    // An SDK may be registered without a propagator, or with one that writes other names. The call is joined with its
    // span all the same.
    if (!this.trace.traceparent) Object.assign(this.trace, traceOf(otel, this.#span) ?? trace);
  }

  run<T>(work: () => T): T {
    return this.otel.context.with(this.#context, work);
  }

  end(errorType?: string, message?: string): void {
    const failed = errorType === undefined ? {} : { 'error.type': errorType };
    if (errorType !== undefined) {
      this.#span.setAttributes(failed);
      this.#span.setStatus({ code: this.otel.SpanStatusCode.ERROR, ...(message && { message }) });
    }
    this.#span.end();
    const seconds = (performance.now() - this.#started) / 1000;
    this.instruments.durations.record(seconds, { ...this.#attributes, ...failed });
  }
}
