import type { OperationKind } from '../base/operation-kinds.js';
import type { StoreHealth } from './server-stores.js';
import type { QueueLoad } from './task-queue.js';

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

type MetricAttributes = Record<string, string | number | boolean | undefined>;

/** What the server counts as it happens. */
export interface MetricCounters {
  /** @param status the status of HTTP that the caller gets, where there is one */
  countRefused(reason: string, attributes?: MetricAttributes, status?: number): void;
  countLimited(reason: string, attributes: MetricAttributes): void;
  countTick(schedule: string, outcome: string): void;
}
