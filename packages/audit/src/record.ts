import type { AuditEvent } from '@toolwright/core';

/** What stands for a value that is never stored: its HMAC-SHA-256 under the log's key, in hex. */
export interface ArgumentsDigest {
  /** Of the arguments as canonical JSON (keys sorted); see {@link digestValue}. */
  hmac: string;
}

export interface ResultDigest {
  /** Of the serialised result. */
  hmac: string;
  /** Length of the serialised result in UTF-8 bytes. */
  bytes: number;
}

/** One stored audit record: a line of the log, and what other sinks are sent. Its `id` is what to de-duplicate by. */
export interface AuditRecord {
  /** Consecutive within a writer, from 1. */
  seq: number;
  /** UUIDv7. */
  id: string;
  /** Which writer's chain this record is part of. */
  writer: string;
  /** Milliseconds since the epoch. */
  time: number;
  event: AuditEvent['event'];
  callId: string;
  operation: AuditEvent['operation'];
  name: string;
  contract: string;
  annotations: AuditEvent['annotations'];
  principal: AuditEvent['principal'];
  /** What the client says it is. Not to be trusted, hence the name. */
  untrustedClient: AuditEvent['client'];
  revision: string;
  /** `null` when there are none, as of a refusal before the call, or when they could not be serialised. */
  arguments: ArgumentsDigest | null;
  loggable?: Record<string, unknown>;
  outcome?: string;
  reason?: string;
  /** A refusal in more detail, such as `forged` or `audience`. */
  detail?: string;
  /** How many refusals the record stands for; absent: one. */
  count?: number;
  reference?: string;
  result?: ResultDigest | null;
  durationMs?: number;
  traceId?: string;
  ip?: string;
}
