import type { Duration, OptionRule } from '../base/options/option-schema.js';
import { duration, durationThat, positiveCount } from '../base/options/rules.js';
import { STORE_TIMEOUT_MS } from './rate-limiter.js';

/** What bounds a store that processes share. */
export interface StoreBounds {
  /**
   * After how long the concurrency slots are free again of a process that was killed, or whose event loop is blocked.
   * Default 15 seconds, at least 100 ms. 0 is refused.
   */
  lease?: Duration;
  /** How many events of one session are kept for resuming. Default 256. */
  maxEvents?: number;
  /** How many bytes the events of one session may have together, without the newest. Default 1 MiB. */
  maxEventBytes?: number;
  /** How long the events of a session are kept. Default 1 hour. More than 0. */
  eventTtl?: Duration;
  /**
   * How long a call may wait for its rate limit and its slot. Limits are exact over all processes as long as answers come in this
   * time; after it, the process counts alone (see `docs/fleet.md`). Default 50 ms in Redis, 500 ms in PostgreSQL. More than 0,
   * at most a minute.
   */
  patience?: Duration;
  /** Cached results with more bytes are not stored. Default 1 MiB. */
  maxCachedBytes?: number;
}

const MEBIBYTE = 1_048_576;

/** The rules of `StoreBounds`. */
export const storeBounds: Readonly<Record<keyof StoreBounds, OptionRule & { readonly default: number }>> = {
  lease: {
    ...durationThat('a duration from 100 ms on', (ms) => ms >= 100 && Number.isFinite(ms)),
    default: 15_000,
  },
  maxEvents: { ...positiveCount, default: 256 },
  maxEventBytes: { ...positiveCount, default: MEBIBYTE },
  eventTtl: { ...duration, default: 3_600_000 },
  patience: {
    ...durationThat('a duration of a minute at most', (ms) => ms > 0 && ms <= 60_000),
    default: STORE_TIMEOUT_MS,
  },
  maxCachedBytes: { ...positiveCount, default: MEBIBYTE },
};
