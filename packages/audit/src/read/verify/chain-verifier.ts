import type { KeyObject } from 'node:crypto';
import type { ControlEntry, OpenEntry, RetireEntry } from '../../chain/entries.js';
import { isSignedBy, type ChainState, type SignedStatement } from '../../chain/statement.js';
import { type SealedBatch, type BatchContent, surveyBatch } from '../read-batches.js';
import type { AuditProblem, ProblemKind } from './verify-report.js';

/** The current place of the verifier in the files. */
export interface ChainPlace {
  path: string;
  segment: number;
}

/** Follows one writer's chain batch by batch, and records every difference from what a writer leaves. */
export class ChainVerifier {
  records = 0;
  batches = 0;
  checkpoints = 0;
  state: ChainState;
  lastRetired: RetireEntry | undefined;
  /**
   * Statements that the chain must still match, by batch. A statement that is left at the end is missing from the
   * log.
   */
  private readonly expected: Map<number, SignedStatement[]>;
  /** How many lines of the file were read. */
  private lines = 0;

  constructor(
    start: ChainState,
    statements: readonly SignedStatement[],
    private readonly keys: ReadonlyMap<string, KeyObject>,
    private readonly report: { problem(problem: AuditProblem): void; note(text: string): void },
  ) {
    this.state = start;
    this.expected = new Map();
    for (const statement of statements) {
      this.expected.set(statement.batch, [...(this.expected.get(statement.batch) ?? []), statement]);
    }
    this.meetStatements(start);
  }

  get unmet(): SignedStatement[] {
    return [...this.expected.values()].flat();
  }

  /** Checks the next batch of the chain. */
  accept(batch: SealedBatch, place: ChainPlace): void {
    this.batches += 1;
    const { seal } = batch;
    const content = surveyBatch(batch.entries, this.state.seq);
    if (!seal || !batch.intact) {
      this.problem('changed', 'the batch does not match its hash', { batch, place });
    } else {
      this.checkLinks(batch, content, place);
    }
    this.checkEntries(batch, content, place);
    if (content.misnumbered) this.checkNumbers(content.misnumbered, batch, place);
    if (!seal) return;
    // The stated values are used from here, so that one wrong batch is one problem and does not affect the
    // next ones.
    this.state = {
      ...this.state,
      segment: place.segment,
      batch: seal.batch,
      seq: seal.seq,
      hash: seal.hash,
      offset: batch.end,
    };
    if (batch.intact) this.meetStatements(this.state);
  }

  private checkLinks(batch: SealedBatch, content: BatchContent, place: ChainPlace): void {
    const seal = batch.seal!;
    const wrong =
      (seal.prev !== this.state.hash && 'its link is not the hash of the batch before') ||
      (seal.batch !== this.state.batch + 1 && `batch ${seal.batch} follows batch ${this.state.batch}`) ||
      (seal.lines !== content.lines && `it has ${content.lines} entries instead of ${seal.lines}`) ||
      (seal.seq !== this.state.seq + content.records && 'its records are not the next ones');
    if (wrong) this.problem('broken-chain', wrong, { batch, place });
    this.records += content.records;
  }

  private checkNumbers(
    { found, expected }: NonNullable<BatchContent['misnumbered']>,
    batch: SealedBatch,
    place: ChainPlace,
  ): void {
    const is = Number.isNaN(found) ? 'has no number' : `has the number ${found}`;
    this.problem('sequence', `the record that should have the number ${expected} ${is}`, { batch, place });
  }

  private checkEntries(
    batch: SealedBatch,
    { control, foreign, lines }: BatchContent,
    place: ChainPlace,
  ): void {
    const first = control[0];
    if (batch.start === 0) this.lines = 0;
    if (foreign !== undefined)
      this.problem('foreign-bytes', `line ${this.lines + foreign} is neither a record nor an entry`, {
        batch,
        place,
      });
    this.lines += lines + 1;
    if (batch.start === 0 && !(first && 'open' in first)) {
      this.problem('broken-chain', 'the file does not begin with an open entry', { batch, place });
    }
    for (const entry of control) this.checkEntry(entry, batch, place);
  }

  private checkEntry(entry: ControlEntry, batch: SealedBatch, place: ChainPlace): void {
    if ('checkpoint' in entry) this.checkCheckpoint(entry.checkpoint, batch, place);
    else if ('open' in entry) this.checkOpen(entry.open, batch, place);
    else if ('retire' in entry) this.lastRetired = entry.retire;
  }

  /** A checkpoint is in the batch after the one that it signs. */
  private checkCheckpoint(statement: SignedStatement, batch: SealedBatch, place: ChainPlace): void {
    this.checkpoints += 1;
    if (!isSignedBy(this.keys, statement)) {
      this.problem('checkpoint', 'the checkpoint is not signed with a known key', { batch, place });
    } else if (!agrees(statement, this.state)) {
      this.problem('checkpoint', 'the checkpoint belongs to another log', { batch, place });
    }
  }

  private checkOpen(open: OpenEntry, batch: SealedBatch, place: ChainPlace): void {
    if (open.writer !== this.state.writer || open.segment !== place.segment) {
      this.problem('broken-chain', 'the file belongs to another place in the log, or to another log', {
        batch,
        place,
      });
    }
    if (open.damage)
      this.problem('found-damaged', `a writer found on opening: ${open.damage}`, { batch, place });
    if (open.torn)
      this.report.note(
        `${place.path}: ${open.torn.bytes} bytes of an unfinished batch were set aside after a crash`,
      );
  }

  private meetStatements(state: ChainState): void {
    const statements = this.expected.get(state.batch);
    if (!statements) return;
    const unmet = statements.filter((statement) => !agrees(statement, state));
    if (unmet.length > 0) this.expected.set(state.batch, unmet);
    else this.expected.delete(state.batch);
  }

  private problem(
    kind: ProblemKind,
    message: string,
    { batch, place }: { batch: SealedBatch; place: ChainPlace },
  ): void {
    this.report.problem({
      kind,
      message,
      file: place.path,
      offset: batch.start,
      batch: this.state.batch + 1,
    });
  }
}

/** A checkpoint at the start of a file names that file, but the batch that it signs is in the file before. */
function agrees(statement: SignedStatement, state: ChainState): boolean {
  const placed = statement.segment !== state.segment || statement.offset === state.offset;
  const same =
    statement.batch === state.batch && statement.hash === state.hash && statement.seq === state.seq;
  return placed && same && statement.writer === state.writer;
}
