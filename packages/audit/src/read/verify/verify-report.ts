/** The kinds of problems in a log. */
export type ProblemKind =
  /** The signed head is missing, has no signature, or contradicts itself. */
  | 'head'
  /** The bytes of a batch do not match its hash, or its seal is not a seal. */
  | 'changed'
  /** A batch does not follow the batch before it. */
  | 'broken-chain'
  /**
   * The number of a record does not match its place in the log. A record is missing, repeated or has a wrong
   * number.
   */
  | 'sequence'
  /** A checkpoint is not signed, or contradicts the log. */
  | 'checkpoint'
  /** The log ends earlier than its head says. */
  | 'truncated'
  /** There are bytes that no writer leaves behind. */
  | 'foreign-bytes'
  /** A file of the chain is missing, and retention did not remove it. */
  | 'missing-file'
  /** When a writer opened its log, it found that the log had been changed. */
  | 'found-damaged'
  /** A statement that was kept elsewhere is not part of the log. */
  | 'anchor'
  /** Two files have different batches with the same number of one writer. */
  | 'fork';

export interface AuditProblem {
  kind: ProblemKind;
  message: string;
  file: string;
  /** The place in bytes, if the problem has one. */
  offset?: number;
  batch?: number;
}

/** One writer's chain. */
export interface WriterReport {
  writer: string;
  slot: number;
  records: number;
  batches: number;
  checkpoints: number;
  /** How many batches follow the last one in the head. After a crash there is at most one. */
  unvouched: number;
  /** True when the writer ended in order. */
  closed: boolean;
}

/**
 * The verdict of a verification:
 * - `genuine`: everything is as a writer left it that has the signing key
 * - `consistent`: the log does not contradict itself. Someone who can write into its folder could have made
 *   all of it, keys included. Only a public key from outside the folder shows who wrote it.
 * - `broken`: something is not as a writer left it
 */
export type AuditVerdict = 'genuine' | 'consistent' | 'broken';

/** The result of `verifyAudit`. */
export interface VerifyReport {
  verdict: AuditVerdict;
  /**
   * True when no problem was found. The verdict is then `genuine`, or only `consistent` if no public key was
   * given.
   */
  ok: boolean;
  records: number;
  bytes: number;
  /**
   * Whether the public key was given, or was read from a file beside the log. In the second case it does not
   * prove who wrote the log.
   */
  trust: 'given' | 'beside the log';
  writers: WriterReport[];
  /** The first hundred problems. */
  problems: AuditProblem[];
  /** Facts that are worth knowing and are not a sign of tampering. */
  notes: string[];
}

/** What `verifyLogs` found out about several logs. */
export interface LogsReport {
  /** The worst of all. A log that is missing is `broken`. */
  verdict: AuditVerdict;
  /** One for each log, in the order in which they were given. */
  reports: (VerifyReport & { file: string })[];
  /** A sentence for each file and pattern for which there is no log. */
  missing: string[];
}
