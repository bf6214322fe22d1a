import type { KeyObject } from 'node:crypto';

/** When the log starts a new file. */
export interface AuditRotation {
  /** Starts a new file when the current one has this many bytes. Default 256 MiB. */
  maxBytes?: number;
  /** Starts a new file when the current one is this many milliseconds old. Default: never. */
  maxAgeMs?: number;
}

/** Which complete files may be deleted. Without any of these options, no file is ever deleted. */
export interface AuditRetention {
  /** Keeps at most this many complete files. */
  files?: number;
  /** Keeps complete files for this many milliseconds. */
  maxAgeMs?: number;
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
  /** Where stored records are sent as well: `RecordSink`s of `@toolwright/audit`. */
  sinks?: readonly AuditRecordSink[];
  /**
   * How many records may wait. When more wait, `buffered` writes make their callers wait, too. Default
   * 10,000.
   */
  maxQueued?: number;
  /**
   * How many milliseconds a buffered record waits for others, so that they share one write to the disk.
   * Default 20 ms.
   */
  lingerMs?: number;
  /** How many milliseconds a `strict` write may take before the call is refused. Default 5,000 ms. */
  strictTimeoutMs?: number;
}

/** The part of a `RecordSink` that core knows. */
export interface AuditRecordSink {
  readonly name: string;
  ship(records: readonly object[]): Promise<void>;
  close?(): Promise<void>;
}
