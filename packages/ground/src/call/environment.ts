import type { AskForApproval } from './approval.js';
import type { ReportUnmet } from '../base/errors/configuration-error.js';
import { toolErrorOf } from '../base/errors/errors.js';
import { withDefaults } from '../base/options/option-schema.js';
import type { AuditSink } from '../ports/audit-sink.js';
import type { ClaimStore } from '../ports/claim-store.js';
import type { Clock, IdSource } from '../ports/clock-and-ids.js';
import type { Logger } from '../ports/logger.js';
import { MemoryRateLimiter, type RateLimiter } from '../ports/rate-limiter.js';
import type { ServerStores } from '../ports/server-stores.js';
import type { ResultCache } from '../ports/result-cache.js';
import { type Cleaner, type Undeclared, cleanText } from '@toolwright/json';
import { type CallLimit, LimiterWithFallback, callLimit } from './limits/rate-limits.js';
import {
  abandonedWorkOptions,
  concurrencyOptions,
  outputOptions,
  pipelineOptions,
  rateLimitOptions,
  type AbandonedWorkOptions,
  type OnStoreError,
  type PipelineOptions,
  type ServerRateLimit,
} from './call-options.js';
import { RunningWork, type WorkingCall } from './limits/running-work.js';
import { type JudgedCall, SecurityMonitor } from './security/security-monitor.js';
import { SlotPool } from './limits/slot-pool.js';
import { SlotPools } from './limits/slot-pools.js';
import { Contexts } from './call-context.js';
import { type ReadError, readErrorsBy } from './own-errors.js';
import { CallListeners } from './operation/call-trace.js';

/**
 * What the planning and running of chains needs from the server. There is one per server; `createEnvironment`
 * makes it.
 */
export interface Environment {
  readonly options: PipelineOptions;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly audit: AuditSink | undefined;
  /** Remembers what was used or asked, so that it counts only once. */
  readonly claims: ClaimStore;
  /** How many milliseconds a client has to come back with an answer. */
  readonly answerMs: number;
  /** The limit of operations that have none of their own. */
  readonly rateLimit: CallLimit | undefined;
  /** True when the application has not set the limit. The default limit does not apply to stdio, which has one user. */
  readonly skipsStdio: boolean;
  /**
   * The limiter that the application shares between processes, if there is one. It returns nothing when its
   * store does not answer.
   */
  readonly limiter: LimiterWithFallback | undefined;
  /**
   * The limiter of this process. It is used when there is no shared one, or when the shared store does not
   * answer.
   */
  readonly localLimiter: RateLimiter;
  readonly onStoreError: OnStoreError;
  readonly anonymousByIp: boolean;
  /** The slots of all calls, if their number is limited. */
  readonly slots: SlotPool | undefined;
  /** The pools of `@Concurrency`. */
  readonly pools: SlotPools;
  /** Cached results that processes share, if the server has a store for them. */
  readonly cache: ResultCache | undefined;
  /** The secrets that seal data before it leaves the process. */
  readonly secrets: readonly string[] | undefined;
  /** The name of the server. Another server may have the same secrets and the same stores. */
  readonly server: string;
  /** The calls whose work has not ended, answered ones included. */
  readonly work: RunningWork<WorkingCall>;
  /** The deadline of operations that have none of their own. */
  readonly timeoutMs: number | undefined;
  /** What happens to undeclared output. `undefined`: no option of the server says it. */
  readonly undeclared: Undeclared | undefined;
  /** An error as callers read it; `undefined` for one that they do not read. */
  readonly readError: ReadError;
  /** Cleans the text of results; `undefined` when this is turned off. */
  readonly cleaner: Cleaner | undefined;
  /** Cleans messages of the framework that quote text of callers or tools. */
  cleanText(text: string): string;
  readonly security: SecurityMonitor;
  /** The listeners to calls. Calls are traced only while somebody listens. */
  readonly callListeners: CallListeners;
  /** Makes the `ToolContext` of each call that asks for it. */
  readonly contexts: Contexts;
  /** How people approve calls on a page. A package sets `ask`. */
  readonly approvals: { ask?: AskForApproval };
  /** Counts calls that were refused: denied, or limited. The server sets `count` when it has metrics. */
  readonly refusedCalls: { count(call: JudgedCall): void };
  /** Present for a stand-in for the server of an application. */
  readonly unmet: ReportUnmet | undefined;
}

/** Makes what the environment of a server has by the options of its pipeline. They were checked before. */
export function createEnvironment(
  options: PipelineOptions,
  { clock, logger, stores }: Pick<Environment, 'clock' | 'logger'> & { readonly stores: ServerStores },
) {
  const { leases, cache, rateLimiter } = stores;
  const { rateLimit = {}, timeout } = withDefaults(pipelineOptions, options);
  const { hidden, undeclared } = withDefaults(outputOptions, options.output ?? {});
  const localLimiter = new MemoryRateLimiter(clock);
  const limits = withDefaults(rateLimitOptions, rateLimit || {});
  const cleaner = cleanerFor(hidden);
  return {
    skipsStdio: !(options.rateLimit && isOwnLimit(options.rateLimit)),
    rateLimit: rateLimit ? callLimit(limits) : undefined,
    limiter: rateLimiter && new LimiterWithFallback(rateLimiter, localLimiter, { clock, logger }),
    localLimiter,
    onStoreError: limits.onStoreError,
    anonymousByIp: limits.anonymousByIp,
    slots: createSlots(options.concurrency),
    pools: new SlotPools(leases && { leases, clock, logger }),
    cache,
    work: createWork(options.concurrency),
    timeoutMs: timeout || undefined,
    cleaner,
    undeclared,
    readError: options.errors ? readErrorsBy(options.errors, logger) : toolErrorOf,
    cleanText: cleaner ?? ((text) => text),
    security: new SecurityMonitor({ clock, logger }, options.onSecurity),
    callListeners: new CallListeners(logger),
    contexts: new Contexts(),
    approvals: {},
    refusedCalls: { count: () => undefined },
  } satisfies Partial<Environment>;
}

function isOwnLimit({ points, per, key, acrossTools }: ServerRateLimit): boolean {
  return points !== undefined || per !== undefined || key !== undefined || acrossTools !== undefined;
}

/** The cleaner for a mode; `undefined` for the mode that keeps everything. */
export function cleanerFor(hidden: 'escape' | 'drop' | 'keep'): Cleaner | undefined {
  return hidden === 'keep' ? undefined : (text) => cleanText(text, hidden);
}

function createSlots(concurrency: PipelineOptions['concurrency'] = {}): Environment['slots'] {
  if (!concurrency) return undefined;
  const { perPrincipal, perTenant, total, queue } = withDefaults(concurrencyOptions, concurrency);
  const [perKey, ofTenant, ofAll] = [limitOf(perPrincipal), limitOf(perTenant), limitOf(total)];
  if (![perKey, ofTenant, ofAll].some(Number.isFinite)) return undefined;
  return new SlotPool({ perKey, perTenant: ofTenant, total: ofAll, queue });
}

function createWork(concurrency: PipelineOptions['concurrency']): RunningWork<WorkingCall> {
  const { abandonedWork = {} } = concurrency || {};
  const unlimited: AbandonedWorkOptions = { perTool: false, total: false };
  const { perTool, total } = withDefaults(abandonedWorkOptions, abandonedWork || unlimited);
  return new RunningWork({ perTool: limitOf(perTool), total: limitOf(total) });
}

function limitOf(value: number | false): number {
  return value === false ? Number.POSITIVE_INFINITY : value;
}

/** The pools of slots by name: the server's own, and those of `@Concurrency`. */
export function poolsOf({ slots, pools }: Pick<Environment, 'slots' | 'pools'>) {
  return [...(slots ? [['server', slots] as const] : []), ...pools];
}
