import type { AuditEvent } from '@toolwright/core/ports';

/** Replaces a value that is never stored: its HMAC-SHA-256 under the log's key, in hex. */
export interface ArgumentsDigest {
  /** The HMAC of the arguments as canonical JSON (keys sorted); see {@link digestValue}. */
  hmac: string;
  /**
   * 2: strings of more than 1,024 characters are in that text as their SHA-256. Left out: there are none, or an
   * earlier version wrote them whole.
   */
  form?: 2;
}

export interface ResultDigest {
  /** The HMAC of the serialised result. */
  hmac: string;
  /** The length of the serialised result, in UTF-8 bytes. */
  bytes: number;
  /**
   * How many bytes of it a model reads: its texts, or its data, whichever is larger. Left out: as many as `bytes`, or an
   * earlier version wrote the record.
   */
  read?: number;
}

/**
 * One stored audit record. It is a line of the log, and other sinks get it, too. Use its `id` to remove
 * duplicates.
 */
export interface AuditRecord {
  /** The number of the record within its writer: consecutive, from 1. */
  seq: number;
  /** A UUIDv7. */
  id: string;
  /** The writer whose chain contains this record. */
  writer: string;
  /** Milliseconds since the epoch. */
  time: number;
  event: AuditEvent['event'];
  callId: string;
  operation: AuditEvent['operation'];
  name: string;
  contract: string;
  /** The version of the tool, if several versions of it are served. */
  version?: string;
  /** The tool, or its version, was deprecated. */
  deprecated?: true;
  annotations: AuditEvent['annotations'];
  principal: AuditEvent['principal'];
  /** What the client says about itself. The name warns you not to trust it. */
  untrustedClient: AuditEvent['client'];
  revision: string;
  /**
   * `null` when there are no arguments (such as when a request was refused before the call), or when they
   * could not be serialised.
   */
  arguments: ArgumentsDigest | null;
  loggable?: Record<string, unknown>;
  outcome?: string;
  reason?: string;
  /** More detail about a refusal, such as `forged` or `audience`. */
  detail?: string;
  /** Who approved the call on a page, in a record `confirmed`. */
  approver?: AuditEvent['principal'];
  /** How many refusals this record counts. `undefined`: one. */
  count?: number;
  reference?: string;
  result?: ResultDigest | null;
  durationMs?: number;
  traceId?: string;
  ip?: string;
  /** The id of the call inside of which a package has made this one. */
  parent?: string;
  /** The SHA-256 (hex) of the program that the call ran, or inside of which it was made. */
  program?: string;
}
