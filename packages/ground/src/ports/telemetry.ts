import type { OperationKind } from '../base/operation-kinds.js';
import type { TraceContext } from '../base/request-context.js';
import type { StoreHealth } from './server-stores.js';
import type { QueueLoad } from './task-store.js';

// These types stand apart from what uses `@opentelemetry/api`: where that optional peer is missing, its types are missing,
// too, and applications would not compile.

/** The measured part of the work that still runs for one operation. */
interface MeasuredWork {
  readonly kind: OperationKind;
  readonly name: string;
  readonly abandoned: number;
}

/** What one pool of slots has in this process. */
export interface MeasuredPool {
  readonly name: string;
  readonly running: number;
  readonly waiting: number;
  /** `Infinity`: only each caller has a limit. */
  readonly total: number;
}

/** The audit log, as far as it is measured. */
export interface MeasuredAudit {
  readonly failures: Readonly<Record<string, number>>;
  health(): { readonly queued?: number };
}

/** What the metrics of a server read. Each is asked when metrics are collected. */
export interface MetricSources {
  readonly work: { report(): readonly MeasuredWork[] };
  readonly stores: () => readonly StoreHealth[];
  /** How much waits on the task queue, if there is one. */
  readonly tasks: () => Promise<QueueLoad | undefined> | undefined;
  readonly requests: () => number;
  readonly sessions: () => number;
  /** How many streams of each kind are open. */
  readonly streams: () => ReadonlyMap<string, number>;
  readonly slots: () => readonly MeasuredPool[];
  readonly audit: () => MeasuredAudit | undefined;
}

/** How a counter is described to those who read metrics. */
export interface CounterOptions {
  /** In UCUM, or in braces: `{tick}`. */
  readonly unit: string;
  readonly description: string;
}

export type MetricAttributes = Record<string, string | number | boolean | undefined>;

/** What the server counts as it happens. */
export interface MetricCounters {
  /** @param status the status of HTTP that the caller gets, where there is one */
  countRefused(reason: string, attributes?: MetricAttributes, status?: number): void;
  countLimited(reason: string, attributes: MetricAttributes): void;
}

/** One request for telemetry. The names follow the MCP semantic conventions of OpenTelemetry. */
export interface Observed {
  /** The method of the protocol: `tools/call`. */
  method: string;
  /**
   * The name of the tool or prompt, if there is one. Only existing names are used, so there are few different
   * values.
   */
  target?: {
    attribute: 'gen_ai.tool.name' | 'gen_ai.prompt.name' | `toolwright.${string}.name`;
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
  /** Says what the request was about, where it has turned out to be something else than what its name says. */
  meant(target: Observed['target']): void;
  /**
   * Ends the span.
   *
   * @param errorType a JSON-RPC code as text, or `tool_error`; undefined when there was no error
   */
  end(errorType?: string, message?: string): void;
}

/** Traces and measures requests. */
export interface Telemetry {
  /** The metrics of the server besides durations; `undefined` while nothing is measured. */
  readonly metrics: MetricCounters | undefined;
  /**
   * Starts to observe a request. Returns `undefined` while nothing is measured.
   *
   * @param describe called only when the request is observed
   */
  observe(describe: () => Observed): Observation | undefined;
}

/** The place where every copy of the API with major version 1 keeps what an SDK has registered. */
export const SDK = Symbol.for('opentelemetry.js.api.1');
