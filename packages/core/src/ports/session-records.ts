import type { LogLevel } from '../base/request-context.js';

/** What a client has asked for in its session, beyond the handshake. */
export interface SessionRecord {
  /** `undefined` until the client has sent `logging/setLevel`. */
  readonly logLevel?: LogLevel;
  /** The URIs of the resources that it has subscribed to. */
  readonly subscriptions: readonly string[];
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
}
