import type { Awaitable } from './awaitable.js';
import type { OnServer } from './overview-api.js';

export interface AuditQuery extends OnServer {
  readonly tool?: string;
  readonly subject?: string;
  readonly outcome?: string;
  /** Words that the record contains. */
  readonly text?: string;
  /** At most as many; the newest come first. */
  readonly limit: number;
  /** Only records before this position. */
  readonly before?: number;
}

export interface AuditRecords {
  /** The file, if the log is one. */
  readonly file?: string;
  readonly records: readonly {
    readonly position: number;
    readonly record: Readonly<Record<string, unknown>>;
  }[];
  readonly more: boolean;
  /** Why there are none: the log is off, or a sink of the application takes it. */
  readonly unavailable?: string;
}

export interface AuditVerdict {
  readonly verdict: 'genuine' | 'consistent' | 'broken';
  readonly records: number;
  /** Where the chain breaks, and why. */
  readonly problem?: { readonly position: number; readonly message: string };
  /** The last link of the chain, in hexadecimal. */
  readonly head?: string;
  readonly sealedAt?: number;
}

export interface AuditApi {
  auditRecords(params: AuditQuery): Awaitable<AuditRecords>;
  verifyAudit(params: OnServer): Awaitable<AuditVerdict>;
}
