import type { TraceContext } from '@toolwright/ground/base/request-context';
import type { Clock } from '@toolwright/ground/ports/clock-and-ids';
import {
  type CounterOptions,
  type MetricAttributes,
  type MetricCounters,
  type MetricSources,
  type Observation,
  type Observed,
  SDK,
  type Telemetry,
} from '@toolwright/ground/ports/telemetry';
import { endsWithin } from '@toolwright/json';
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
import { ServerMetrics } from './server-metrics.js';

type Api = typeof import('@opentelemetry/api');

const getter: TextMapGetter<TraceContext> = {
  keys: (carrier) => Object.keys(carrier),
  get: (carrier, key) => carrier[key as keyof TraceContext],
};
const setter: TextMapSetter<TraceContext> = {
  set: (carrier, key, value) => void (carrier[key as keyof TraceContext] = value),
};

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

/** Traces and measures requests through `@opentelemetry/api`. One per server. */
export class OpenTelemetry implements Telemetry {
  #tracer: Tracer | undefined;
  #durations: Histogram | undefined;
  #metrics: ServerMetrics | undefined;

  /** @param sources what the metrics of the server read */
  constructor(private readonly sources: MetricSources) {}

  /**
   * Begins to measure, if an SDK with metrics is registered. Otherwise the first request does it: instruments that
   * are made before an SDK is registered send nothing to it.
   */
  start(): void {
    const registered = (globalThis as { [SDK]?: { metrics?: unknown } })[SDK];
    if (registered?.metrics) void this.metrics;
  }

  /** The metrics of the server besides durations; `undefined` when no OpenTelemetry SDK is registered. */
  get metrics(): MetricCounters | undefined {
    const otel = activeApi();
    return otel && (this.#metrics ??= new ServerMetrics(otel.metrics.getMeter(NAME), this.sources));
  }

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

  /** Makes a counter of a package. It counts as long as an SDK is registered. */
  counter(name: string, options: CounterOptions): (attributes: MetricAttributes, by?: 0 | 1) => void {
    let counter: Counter | undefined;
    return (attributes, by = 1) => {
      counter ??= activeApi()?.metrics.getMeter(NAME).createCounter(name, options);
      counter?.add(by, attributes as Attributes);
    };
  }

  /** Makes a histogram of seconds for a package. It measures as long as an SDK is registered. */
  duration(name: string, description: string): (seconds: number, attributes: MetricAttributes) => void {
    let durations: Histogram | undefined;
    return (seconds, attributes) => {
      durations ??= activeApi()?.metrics.getMeter(NAME).createHistogram(name, { unit: 's', description });
      durations?.record(seconds, attributes as Attributes);
    };
  }

  #measure(meter: Meter): Histogram {
    void this.metrics;
    return meter.createHistogram('mcp.server.operation.duration', {
      unit: 's',
      description: 'Duration of MCP requests as the server sees them.',
      advice: { explicitBucketBoundaries: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300] },
    });
  }

  /**
   * Sends what the SDK still holds. It takes five seconds at most, so telemetry that cannot be sent does not
   * keep the process from ending.
   */
  async flush(clock: Pick<Clock, 'after'>): Promise<void> {
    const otel = activeApi();
    if (!otel) return;
    const providers = [otel.trace.getTracerProvider(), otel.metrics.getMeterProvider()];
    await endsWithin(FLUSH_MS, clock, Promise.allSettled(providers.map(forceFlush)));
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
  readonly #method: string;
  #target: Observed['target'];
  #attributes: Attributes;

  constructor(
    private readonly otel: Api,
    { method, target, attributes, trace }: Observed,
    private readonly instruments: { tracer: Tracer; durations: Histogram },
  ) {
    this.#method = method;
    this.#target = target;
    this.#attributes = attributesOf(method, target);
    // The message's own trace context wins over the one that the HTTP instrumentation made from the
    // connection.
    const ambient = otel.context.active();
    const parent = trace.traceparent ? otel.propagation.extract(ambient, trace, getter) : ambient;
    this.#span = instruments.tracer.startSpan(
      spanName(method, target),
      { kind: otel.SpanKind.SERVER, attributes: { ...attributes, ...this.#attributes } },
      parent,
    );
    this.#context = otel.trace.setSpan(parent, this.#span);
    otel.propagation.inject(this.#context, this.trace, setter);
    // An SDK may be registered without a propagator, or with one that writes other names. The call is joined with its
    // span in both cases.
    if (!this.trace.traceparent) Object.assign(this.trace, traceOf(otel, this.#span) ?? trace);
  }

  run<T>(work: () => T): T {
    return this.otel.context.with(this.#context, work);
  }

  meant(target: Observed['target']): void {
    if (!target || target.name === this.#target?.name) return;
    this.#target = target;
    this.#attributes = attributesOf(this.#method, target);
    this.#span.updateName(spanName(this.#method, target));
    this.#span.setAttributes(this.#attributes);
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

const spanName = (method: string, target: Observed['target']) =>
  target ? `${method} ${target.name}` : method;

function attributesOf(method: string, target: Observed['target']): Attributes {
  const named = target && { [target.attribute]: target.name };
  const isTool = target?.attribute === 'gen_ai.tool.name';
  return { 'mcp.method.name': method, ...named, ...(isTool && { 'gen_ai.operation.name': 'execute_tool' }) };
}
