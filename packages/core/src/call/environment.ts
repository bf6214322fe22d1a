import { ConfigurationError } from '../base/errors/configuration-error.js';
import { withDefaults } from '../base/options/option-schema.js';
import type { AuditSink } from '../ports/audit-sink.js';
import { MemoryClaimStore, type ClaimStore } from '../ports/claim-store.js';
import type { Clock } from '../ports/clock.js';
import { randomIds, type IdSource } from '../ports/id-source.js';
import type { Logger } from '../ports/logger.js';
import { MemoryRateLimiter } from '../ports/memory-rate-limiter.js';
import type { RateLimiter, RateLimitRule } from '../ports/rate-limiter.js';
import { cleanText, type Cleaner } from '../base/clean-text.js';
import { parseDuration } from '../base/duration.js';
import { InsuredLimiter } from './limits/insured-limiter.js';
import type { Undeclared } from './serialiser/output-node.js';
import {
  abandonedWorkOptions,
  concurrencyOptions,
  outputOptions,
  pipelineOptions,
  rateLimitOptions,
  type AbandonedWorkOptions,
  type OnStoreError,
  type PipelineOptions,
} from './call-options.js';
import { rateLimitRule } from './limits/rate-limit-rule.js';
import { RunningWork } from './limits/running-work.js';
import { SecurityMonitor } from './security/security-monitor.js';
import { SlotPool, type SlotLimits } from './limits/slot-pool.js';
import { SlotPools } from './limits/slot-pools.js';

/** What planning and running chains needs of the server. One per server; made by `createEnvironment`. */
export interface Environment {
  readonly options: PipelineOptions;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly audit: AuditSink | undefined;
  /** Remembers what was used, or asked, so that it counts once. */
  readonly claims: ClaimStore;
  /** Milliseconds a client has to come back with an answer. */
  readonly answerMs: number;
  /** The limit of operations without one of their own. */
  readonly rateLimit: RateLimitRule | undefined;
  /** Nobody has asked for that limit: it is not for stdio, which has one user. */
  readonly sparesStdio: boolean;
  /** There when the application shares its limits; it gives nothing when its store does not answer. */
  readonly limiter: InsuredLimiter | undefined;
  /** Of this process: in the place of a shared one, or while its store does not answer. */
  readonly localLimiter: RateLimiter;
  readonly onStoreError: OnStoreError;
  readonly anonymousByIp: boolean;
  readonly slots: { readonly pool: SlotPool; readonly limits: SlotLimits } | undefined;
  /** Those of `@Concurrency`. */
  readonly pools: SlotPools;
  /** Calls whose work is not over, answered ones included. */
  readonly work: RunningWork;
  /** The deadline of operations without one of their own. */
  readonly timeoutMs: number | undefined;
  /** What becomes of what an output schema does not declare, where somebody said so for the server. */
  readonly undeclared: Undeclared | undefined;
  /** Results may be written by generated code. */
  readonly generate: boolean;
  /** Sanitises text of results; undefined when that is switched off. */
  readonly cleaner: Cleaner | undefined;
  /** Sanitises text of our own that repeats what others wrote. */
  cleanText(text: string): string;
  readonly security: SecurityMonitor;
}

/** What a server brings to the pipeline besides its options. */
export interface EnvironmentPorts {
  clock: Clock;
  logger: Logger;
  ids?: IdSource;
  claims?: ClaimStore;
  answerMs?: number;
}

/**
 * Reads the options of a server's pipeline, once.
 *
 * @throws {ConfigurationError} for options that make no sense
 */
export function createEnvironment(options: PipelineOptions, ports: EnvironmentPorts): Environment {
  const { clock, logger, ids = randomIds, claims = new MemoryClaimStore(clock), answerMs = 600_000 } = ports;
  const { rateLimit = {}, timeout } = withDefaults(pipelineOptions, options);
  const { hidden, undeclared, generate } = withDefaults(outputOptions, options.output ?? {});
  const localLimiter = new MemoryRateLimiter(clock);
  const limits = withDefaults(rateLimitOptions, rateLimit || {});
  const { limiter } = limits;
  const cleaner = cleanerFor(hidden);
  return {
    options,
    clock,
    ids,
    logger,
    audit: options.audit || undefined,
    claims,
    answerMs,
    sparesStdio: !(options.rateLimit && (options.rateLimit.points ?? options.rateLimit.per)),
    rateLimit: rateLimit ? read('rateLimit', () => rateLimitRule(limits.points, limits.per)) : undefined,
    limiter: limiter && new InsuredLimiter(limiter, { clock, logger }),
    localLimiter,
    onStoreError: limits.onStoreError,
    anonymousByIp: limits.anonymousByIp,
    slots: createSlots(options),
    pools: new SlotPools(),
    work: createWork(options),
    timeoutMs: timeout ? read('timeout', () => parseDuration(timeout)) : undefined,
    cleaner,
    undeclared: undeclared === 'allow' ? 'keep' : undeclared,
    generate,
    cleanText: cleaner ?? ((text) => text),
    security: new SecurityMonitor({ clock, logger }, options.onSecurity),
  };
}

/** What cleans text in a way; undefined for the way that keeps everything. */
export function cleanerFor(hidden: 'escape' | 'drop' | 'keep'): Cleaner | undefined {
  return hidden === 'keep' ? undefined : (text) => cleanText(text, hidden);
}

function createSlots({ concurrency = {} }: PipelineOptions): Environment['slots'] {
  if (!concurrency) return undefined;
  const { perPrincipal, total, queue } = withDefaults(concurrencyOptions, concurrency);
  const limits: SlotLimits = { perKey: limitOf(perPrincipal), total: limitOf(total), queue };
  read('concurrency', () => {
    if (!(limits.perKey >= 1 && limits.total >= 1 && queue >= 0))
      throw new RangeError('Limits are positive numbers.');
  });
  if (!Number.isFinite(limits.perKey) && !Number.isFinite(limits.total)) return undefined;
  return { pool: new SlotPool(limits), limits };
}

function createWork({ abandonedWork = {} }: PipelineOptions): RunningWork {
  const unlimited: AbandonedWorkOptions = { perTool: false, total: false };
  const { perTool, total } = withDefaults(abandonedWorkOptions, abandonedWork || unlimited);
  const limits = { perTool: limitOf(perTool), total: limitOf(total) };
  read('abandonedWork', () => {
    if (!(limits.perTool >= 1 && limits.total >= 1)) throw new RangeError('Limits are positive numbers.');
  });
  return new RunningWork(limits);
}

function limitOf(value: number | false): number {
  return value === false ? Number.POSITIVE_INFINITY : value;
}

function read<T>(option: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new ConfigurationError([
      {
        code: 'TW_POLICY_INVALID',
        message: `The option "${option}" of the server makes no sense: ${(error as Error).message}`,
        fix: `Correct "${option}", leave it out for the default, or set it to false.`,
      },
    ]);
  }
}
