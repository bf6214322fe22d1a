import type { KeyObject } from 'node:crypto';

/** When a new file is begun. */
export interface AuditRotation {
  /** Begin a new file when this one has grown to so many bytes. Default 256 MiB. */
  maxBytes?: number;
  /** Begin a new file when this one is so many milliseconds old. Default: never. */
  maxAgeMs?: number;
}

/** Which complete files may be deleted. Without any of these, none ever is. */
export interface AuditRetention {
  /** Keep at most so many complete files. */
  files?: number;
  /** Keep complete files for so many milliseconds. */
  maxAgeMs?: number;
  /** Keep complete files while they have at most so many bytes together. */
  maxBytes?: number;
}

/** How the log of `@toolwright/audit` is kept. Only `file` is needed. The server's logger and clock are used. */
export interface AuditFileOptions {
  /**
   * The log, relative to the working directory; its directory is made if need be. Other files of the log lie beside it
   * and share its name.
   */
  file: string;
  /**
   * Secret of the HMACs of arguments and results, at least 16 bytes. Without it a random one is made and kept beside
   * the log, readable by its owner only.
   */
  key?: string | Uint8Array;
  /** Ed25519 private key (PKCS#8 PEM or KeyObject) that signs the chain. Without it one is made and kept as above. */
  signingKey?: string | KeyObject;
  rotate?: AuditRotation;
  /** Default: nothing is ever deleted. */
  retain?: AuditRetention;
  /** Where stored records are sent as well: `RecordSink`s of `@toolwright/audit`. */
  sinks?: readonly AuditRecordSink[];
  /** Records that may wait before `buffered` writes hold their callers up. Default 10,000. */
  maxQueued?: number;
  /** How long a buffered record waits for others to share its disk write with. Default 20 ms. */
  lingerMs?: number;
  /** How long a `strict` write may take before it is refused. Default 5,000 ms. */
  strictTimeoutMs?: number;
}

/** As much of a `RecordSink` as core knows. */
export interface AuditRecordSink {
  readonly name: string;
  ship(records: readonly object[]): Promise<void>;
  close?(): Promise<void>;
}
