/** What a record tells. `intent` before the tool ran; the others are ends. */
export type AuditEventType = 'intent' | 'outcome' | 'denied' | 'limited' | 'confirmed';

/**
 * One event of one call, before a sink adds its own chain fields (sequence, writer, hashes). Values that could hold
 * personal data or secrets are never here in the clear: `arguments` is the raw object for the sink to hash, and only
 * `loggable` may be stored.
 */
export interface AuditEvent {
  /** UUIDv7 of the record. */
  id: string;
  /** The same for every record of one call. */
  callId: string;
  /** Milliseconds since the epoch. */
  time: number;
  event: AuditEventType;
  /**
   * What `name` is of; `completion`: an argument of the prompt or template of that name was completed. `request`: the
   * request was refused before anybody looked what it was about, and `name` is empty.
   */
  operation: 'tool' | 'resource' | 'resourceTemplate' | 'prompt' | 'completion' | 'task' | 'request';
  /** Of what is unknown, as the caller wrote it: at most 200 characters, with what cannot be seen escaped. */
  name: string;
  /** SHA-256 of the published contract (name, schemas, annotations, description). */
  contract: string;
  annotations: Readonly<Record<string, unknown>>;
  principal: { issuer?: string; subject: string; clientId?: string } | null;
  /** As the client says of itself: not to be trusted. */
  client: { name?: string; version?: string } | null;
  revision: string;
  /** To be hashed with the sink's key; never stored. */
  arguments: unknown;
  /** The fields that `@Audit({ include })` made loggable, `@sensitive` ones excluded. */
  loggable?: Record<string, unknown>;
  /** `ok`, `error`, `cancelled`, `timeout`, `denied`, `limited`, … */
  outcome?: string;
  /** Why, for `denied` and `limited`; a stable error code. */
  reason?: string;
  /** A refusal in more detail, such as `forged` or `audience`. */
  detail?: string;
  /** How many refusals the record stands for; absent: one. */
  count?: number;
  /** Reference id that the caller was given with a generic error. */
  reference?: string;
  /** The serialised result, to be hashed and measured; never stored. */
  result?: unknown;
  durationMs?: number;
  traceId?: string;
  ip?: string;
}

/** How safely a record must be stored before the call goes on. See docs/audit.md. */
export type AuditMode = 'strict' | 'buffered';

/**
 * Where audit records go. `write` in `strict` mode resolves when the record is durable; in `buffered` mode it
 * returns nothing while there is room, and a promise to wait for (back-pressure) when there is none.
 *
 * @throws in `strict` mode, when the record cannot be made durable: the call is then refused.
 */
export interface AuditSink {
  write(event: AuditEvent, mode: AuditMode): void | Promise<void>;
  /** Everything written so far is durable when this resolves. */
  flush(): Promise<void>;
  close(): Promise<void>;
}
