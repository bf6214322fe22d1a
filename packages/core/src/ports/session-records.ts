import { keepNewest } from '@toolwright/json';
import type { LogLevel } from '../base/request-context.js';
import { type Clock, monotonic } from './clock-and-ids.js';

/** What a client has asked for in its session, beyond the handshake. */
export interface SessionRecord {
  /** `undefined` until the client has sent `logging/setLevel`. */
  readonly logLevel?: LogLevel;
  /** The URIs of the resources that it has subscribed to. */
  readonly subscriptions: readonly string[];
  /** A digest of the issuer and the subject whose session it is. Missing for callers without a subject. */
  readonly owner?: string;
  /** A digest of the tenant of its caller. Missing for callers without a tenant. */
  readonly tenant?: string;
}

/**
 * Keeps what clients of the stateful revisions have asked for, so that another process can serve their next
 * request. The key is a digest of the session's id, never the id itself.
 */
export interface SessionRecords {
  /** The record; `undefined` when there is none or its time has passed. */
  get(key: string): SessionRecord | undefined | Promise<SessionRecord | undefined>;
  set(key: string, record: SessionRecord, ttlMs: number): void | Promise<void>;
  delete(key: string): void | Promise<void>;
  /**
   * The keys of the sessions whose records have this text as their `owner` or as their `tenant`, so that operators can
   * show and erase what is kept for a person or a tenant. The two are never the same text. Without this method, operators
   * do not find it; it is forgotten when its time has passed.
   */
  ofOwner?(owner: string): readonly string[] | Promise<readonly string[]>;
}

/** Keeps the records of this process. When there are too many, the oldest one is removed. */
export class MemorySessionRecords implements SessionRecords {
  readonly #kept = new Map<string, { record: SessionRecord; until: number }>();

  constructor(
    private readonly clock: Clock,
    private readonly max = 10_000,
  ) {}

  get(key: string): SessionRecord | undefined {
    const found = this.#kept.get(key);
    return found && found.until > monotonic(this.clock) ? found.record : undefined;
  }

  set(key: string, record: SessionRecord, ttlMs: number): void {
    keepNewest(this.#kept, key, { record, until: monotonic(this.clock) + ttlMs }, this.max);
  }

  delete(key: string): void {
    this.#kept.delete(key);
  }

  ofOwner(owner: string): string[] {
    return [...this.#kept.keys()].filter((key) => {
      const record = this.get(key);
      return record?.owner === owner || record?.tenant === owner;
    });
  }
}
