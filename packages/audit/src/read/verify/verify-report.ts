/** What is wrong with a log. */
export type ProblemKind =
  /** The signed head is missing, unsigned or inconsistent. */
  | 'head'
  /** A batch's bytes are not those that its hash is of, or its seal is not a seal. */
  | 'changed'
  /** A batch does not follow the one before it. */
  | 'broken-chain'
  /** A record has another number than its place in the log: one is missing, repeated or misnumbered. */
  | 'sequence'
  /** A checkpoint is not signed or says something else than the log. */
  | 'checkpoint'
  /** The log ends before what its head vouches for. */
  | 'truncated'
  /** Bytes that no writer leaves behind. */
  | 'foreign-bytes'
  /** A file of the chain is not there, and retention did not take it. */
  | 'missing-file'
  /** A writer found, on opening, that its log had been changed. */
  | 'found-damaged'
  /** A statement that was kept elsewhere is not part of the log. */
  | 'anchor';

export interface Problem {
  kind: ProblemKind;
  message: string;
  file: string;
  /** In bytes, where it applies. */
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
  /** Batches behind the last one that the head vouches for; there is at most one after a crash. */
  unvouched: number;
  /** The writer ended in order. */
  closed: boolean;
}

/**
 * What verifying has shown.
 * - `genuine`: everything is as a writer left it who has the signing key
 * - `consistent`: the log agrees with itself. Whoever can write into its folder can have made all of it, keys included:
 *   only a public key from outside of the folder shows who did.
 * - `broken`: something is not as a writer left it
 */
export type Verdict = 'genuine' | 'consistent' | 'broken';

/** The outcome of `verifyAudit`. */
export interface VerifyReport {
  verdict: Verdict;
  /** No problem was found: `genuine` or, where no public key was given, merely `consistent`. */
  ok: boolean;
  records: number;
  bytes: number;
  /** Whether the public key was given, or taken from beside the log: then it proves nothing about who wrote it. */
  trust: 'given' | 'beside the log';
  writers: WriterReport[];
  /** The first hundred. */
  problems: Problem[];
  /** Worth knowing, and no sign of tampering. */
  notes: string[];
}
