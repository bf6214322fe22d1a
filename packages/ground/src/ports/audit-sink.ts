import type { BackgroundNoun } from '../base/extended.js';
import type { Duration } from '../base/options/option-schema.js';
import type { KeyObject } from 'node:crypto';
import type { OperationKind } from '../base/operation-kinds.js';

/**
 * What a record reports. `intent` is written before the tool runs. Each of the others reports how a call
 * ended.
 */
export type AuditEventType = 'intent' | 'outcome' | 'denied' | 'limited' | 'confirmed';

/** Who called. */
export interface AuditPrincipal {
  issuer?: string;
  subject: string;
  clientId?: string;
  /** The tenant of the caller. */
  tenant?: string;
  /** The claims that the log takes. The issuer of the token has verified them. */
  claims?: Readonly<Record<string, unknown>>;
}

/**
 * One event of one call, before a sink adds its own chain fields (sequence, writer, hashes). Values that
 * could hold personal data or secrets must never be stored as plain text: a sink hashes the raw object in
 * `arguments`, and stores only the values in `loggable`.
 */
export interface AuditEvent {
  /** The UUIDv7 of the record. */
  id: string;
  /** The id of the call. All records of a call have the same one. */
  callId: string;
  /** The id of the call inside of which a package has made this one. */
  parent?: string;
  /** The SHA-256 (hex) of the program that the call runs, or inside of which it is made. */
  program?: string;
  /** Milliseconds since the epoch. */
  time: number;
  event: AuditEventType;
  /**
   * The kind of thing that `name` names. `completion`: an argument of the prompt or template with this name was
   * completed. `request`: the request was refused before the server looked at what it asks for; `name` is empty.
   * `operator`: an operator of the server did what `name` says. `session`: an anonymous session became that of the
   * principal, who has signed in. Packages that run methods add their nouns.
   */
  operation: OperationKind | 'completion' | 'task' | 'request' | 'operator' | 'session' | BackgroundNoun;
  /**
   * The name. For an unknown operation it is the text that the caller sent: at most 200 characters, with
   * invisible ones escaped.
   */
  name: string;
  /** The SHA-256 of the published contract (name, schemas, annotations, description). */
  contract: string;
  /** The version of the tool, if several versions of it are served. `name` is then the name of all. */
  version?: string;
  /** The tool is deprecated, or there is a newer version of it. */
  deprecated?: true;
  annotations: Readonly<Record<string, unknown>>;
  principal: AuditPrincipal | null;
  /** What the client says about itself. Do not trust it. */
  client: { name?: string; version?: string } | null;
  revision: string;
  /** The arguments. A sink hashes them with its key and never stores them. */
  arguments: unknown;
  /** The fields that `@Audit({ include })` allows to be stored, without those marked `@sensitive`. */
  loggable?: Record<string, unknown>;
  /** `ok`, `error`, `cancelled`, `timeout`, `denied`, `limited`, … */
  outcome?: string;
  /** The reason of `denied` and `limited`: a stable error code. */
  reason?: string;
  /** More detail about a refusal, such as `forged` or `audience`. */
  detail?: string;
  /** Who approved the call on a page, in a record `confirmed`. In a record about an approval, who decided, or may decide. */
  approver?: AuditPrincipal;
  /** How many refusals this record counts. `undefined`: one. */
  count?: number;
  /** The reference id that the caller got with a generic error. */
  reference?: string;
  /** The serialised result. A sink hashes and measures it, and never stores it. */
  result?: unknown;
  durationMs?: number;
  traceId?: string;
  ip?: string;
}

/** How safely a record must be stored before the call goes on. See docs/audit.md. */
export type AuditMode = 'strict' | 'buffered';

/**
 * Stores audit records. In `strict` mode, `write` resolves when the record is durable. In `buffered` mode, it
 * returns nothing while there is room. When there is no room, it returns a promise, and the caller waits for
 * it (back-pressure).
 *
 * @throws in `strict` mode, when the record cannot be made durable; the call is then refused
 */
export interface AuditSink {
  /** The file of the log, for those who read it. Sinks that write no file leave it out. */
  readonly file?: string;
  /** The claims of a principal that records take, such as `tenant`. Default: none. */
  readonly claims?: readonly string[];
  write(event: AuditEvent, mode: AuditMode): void | Promise<void>;
  /** Resolves when everything that was written so far is durable. */
  flush(): Promise<void>;
  /** @throws an error that says how many records are lost, if any are */
  close(): Promise<void>;
  /**
   * Whether records can be stored at the moment. A sink that has this also logs, once, when it fails and when it works
   * again. Without it, the server decides by the last write.
   */
  health?(): AuditHealth;
}

export interface AuditHealth {
  /** False while strict records are refused. */
  readonly up: boolean;
  /** Since when, in milliseconds since the epoch. */
  readonly since: number;
  /** How many records wait to be stored. */
  readonly queued?: number;
}

/** When the log starts a new file. */
export interface AuditRotation {
  /** Starts a new file when the current one has this many bytes. Default 256 MiB. */
  maxBytes?: number;
  /** Starts a new file when the current one is this old. Default: never. More than 0; `Infinity`: never. */
  maxAge?: Duration;
}

/** Which complete files may be deleted. Without any of these options, no file is ever deleted. */
export interface AuditRetention {
  /** Keeps at most this many complete files. */
  files?: number;
  /** Keeps complete files for this long. 0: not at all; `Infinity`: for ever. */
  maxAge?: Duration;
  /** Keeps complete files while they have at most this many bytes together. */
  maxBytes?: number;
}

/**
 * How `@toolwright/audit` keeps its log. Only `file` is needed. The log uses the server's logger and clock.
 */
export interface AuditFileOptions {
  /**
   * The file of the log, relative to the working directory. Its directory is made if necessary. The other
   * files of the log are beside it and start with the same name.
   */
  file: string;
  /**
   * The secret for the HMACs of arguments and results, at least 16 bytes. Default: a random secret is made
   * and kept beside the log; only its owner can read it.
   */
  key?: string | Uint8Array;
  /**
   * The Ed25519 private key (PKCS#8 PEM or KeyObject) that signs the chain. Default: a key is made and kept
   * beside the log; only its owner can read it.
   */
  signingKey?: string | KeyObject;
  rotate?: AuditRotation;
  /** Which old files are kept. Default: nothing is ever deleted. */
  retain?: AuditRetention;
  /**
   * The claims of a token that records take, such as `['tenant']`. They are stored as plain text, so name none that is
   * a secret or more personal than you want to keep. Default: none.
   */
  claims?: readonly string[];
  /**
   * How records name people. `'digest'` stores a digest of issuer and subject under `key` in place of the subject, so the
   * log need not be erased. Whoever has the key can still ask for one person. Default `'plain'`.
   */
  subjects?: 'plain' | 'digest';
  /** Where stored records are sent as well: `RecordSink`s of `@toolwright/audit`. */
  sinks?: readonly AuditRecordSink[];
  /**
   * How many records may wait. When more wait, `buffered` writes make their callers wait, too. Default
   * 10,000.
   */
  maxQueued?: number;
  /**
   * How long a buffered record waits for others, so that they share one write to the disk.
   * Default 20 ms. 0: not at all; at most a day.
   */
  linger?: Duration;
  /**
   * How long a `strict` write may take before the call is refused. Default 5 seconds. More than 0;
   * `Infinity`: any time.
   */
  strictTimeout?: Duration;
}

/** The part of a `RecordSink` that core knows. */
export interface AuditRecordSink {
  readonly name: string;
  ship(records: readonly object[]): Promise<void>;
  close?(): Promise<void>;
}
