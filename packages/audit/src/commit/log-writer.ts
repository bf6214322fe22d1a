import { hostname } from 'node:os';
import { type AuditRotation, type Clock, type Logger, monotonic } from '@toolwright/core/ports';
import type { WithDefaults } from '@toolwright/core/options';
import { reasonOf } from '@toolwright/json';
import {
  type ControlEntry,
  type Lines,
  type OpenEntry,
  type RetireEntry,
  countOf,
  encodeEntry,
  joinBatch,
} from '../chain/entries.js';
import { sealBatch } from '../chain/seal.js';
import type { ChainState, Signer } from '../chain/statement.js';
import { headSlotOf } from '../files/head-file.js';
import type { WriterPaths } from '../files/log-paths.js';
import type { LogFile, LogStorage } from '../files/log-storage.js';
import type { HmacKey } from '../hmac-key.js';
import type { RecoveredChain } from '../files/recover-chain.js';
import { readLastSeal } from '../read/read-last-seal.js';

/** A checkpoint is due after this many records, or after this time, whichever comes first. */
export const CHECKPOINT_RECORDS = 1000;
export const CHECKPOINT_MS = 60_000;

/** Everything that the writer needs, resolved when the log is opened. */
export interface WriterEnvironment {
  paths: WriterPaths;
  storage: LogStorage;
  signer: Signer;
  /** The key for the MAC of seals. */
  key: HmacKey;
  signingKey: OpenEntry['signingKey'];
  clock: Clock;
  logger: Logger;
  rotate: Required<WithDefaults<AuditRotation>>;
}

const TAKEN = 'was removed, replaced or shortened while it was being written';
/** Larger batches, with few but long lines, are rare, so their memory is not kept. */
const MAX_ROOM = 1024 * 1024;

/**
 * Appends batches to one chain, one call at a time; the caller queues. Either a batch is acknowledged
 * (sealed, synced, stated in the head), or there was an error and the batch does not exist. The next batch
 * then overwrites what is left of it.
 */
export class LogWriter {
  private file: LogFile | undefined;
  private headFile: LogFile | undefined;
  private checkpointSeq: number;
  private checkpointTime: number;
  /** The batch that the last checkpoint signed. */
  private checkpointBatch: number | undefined;
  private checkpointWanted = false;
  private openedAt: number;
  /** Entries that go before the records of the next batch. */
  private preface: string[] = [];
  /** Whether bytes of a failed batch may follow the last good one. */
  private unclean = true;
  /**
   * The buffer in which batches are assembled, one after the other. `LineSlabs` explains why it is used
   * again.
   */
  private room: Buffer | undefined;

  private constructor(
    private readonly environment: WriterEnvironment,
    private state: ChainState,
  ) {
    this.checkpointSeq = state.seq;
    this.openedAt = this.checkpointTime = monotonic(environment.clock);
  }

  /** Opens the files, and commits the entry that says so. */
  static async open(environment: WriterEnvironment, recovered: RecoveredChain): Promise<LogWriter> {
    const writer = new LogWriter(environment, recovered.state);
    try {
      writer.headFile = await environment.storage.openForUpdate(environment.paths.head);
      if (!recovered.stated) await writer.stateHead(false);
      writer.preface.push(writer.openEntry(recovered.findings));
      await writer.commit([]);
      await writer.headFile.sync();
      return writer;
    } catch (error) {
      await writer.release();
      throw error;
    }
  }

  get chain(): ChainState {
    return this.state;
  }

  /** Whether there are records that no checkpoint has signed yet. */
  get hasUncheckpointed(): boolean {
    return this.state.seq > this.checkpointSeq;
  }

  /**
   * Writes records to disk as one batch, after a checkpoint if one is due.
   *
   * @param records with numbers that continue the chain
   * @param entry goes before the records
   * @throws the system's error; the batch then does not count and can be tried again
   */
  async commit(records: readonly Lines[], entry?: ControlEntry): Promise<void> {
    await this.ensureFile();
    const checkpoint = this.isCheckpointDue() ? await this.checkpointEntry() : [];
    const control = [...this.preface, ...checkpoint, ...(entry ? [encodeEntry(entry)] : [])];
    const { batch, offset, seq: vouchedFor } = this.state;
    const joined = joinBatch(control, records, this.room);
    this.room = joined.bytes.length <= MAX_ROOM ? joined.bytes : undefined;
    const seq = vouchedFor + countOf(records);
    const { bytes, hash } = sealBatch(joined, this.state, { seq, key: this.environment.key });
    const next = { ...this.state, batch: batch + 1, seq, hash, offset: offset + bytes.length };
    this.unclean = true;
    await this.file!.append(bytes);
    await this.file!.sync();
    // A deleted file still accepts writes. This check takes about 20 µs; losing records silently would be
    // worse.
    if (!(await this.file!.isInPlace(next.offset)))
      throw new Error(`${this.environment.paths.current} ${TAKEN}`);
    this.unclean = false;
    this.state = next;
    this.preface = [];
    if (checkpoint.length > 0) this.noteCheckpoint(batch, vouchedFor);
    await this.stateHead(false);
  }

  /** Signs and stores the current end of the chain, even without new records. */
  async checkpoint(): Promise<void> {
    this.checkpointWanted = true;
    await this.commit([]);
    await this.headFile!.sync();
  }

  get rotationDue(): boolean {
    const { maxBytes, maxAge } = this.environment.rotate;
    return this.state.offset >= maxBytes || monotonic(this.environment.clock) - this.openedAt >= maxAge;
  }

  /** Ends the current file and gives it its number. The next commit starts a new file. */
  async rotate(): Promise<void> {
    const { storage, paths } = this.environment;
    await this.headFile!.sync();
    await this.closeFile();
    await storage.rename(paths.current, paths.rotated(this.state.segment));
    this.state = { ...this.state, segment: this.state.segment + 1, offset: 0 };
    this.openedAt = monotonic(this.environment.clock);
    this.preface = [this.openEntry({}), ...this.preface];
  }

  /** Writes to disk that segments are about to be deleted. */
  async retire(through: number, hash: string): Promise<void> {
    const retire: RetireEntry = { through, hash, time: this.environment.clock.now() };
    await this.commit([], { retire });
    await this.headFile!.sync();
  }

  /** Ends the chain properly. Anything that follows in the file comes from an intruder. */
  async close(): Promise<void> {
    this.checkpointWanted = this.hasUncheckpointed;
    await this.commit([], { close: { time: this.environment.clock.now() } });
    await this.stateHead(true);
    await this.headFile!.sync();
    await this.release();
  }

  /** Closes the files as they are. */
  async release(): Promise<void> {
    await this.closeFile().catch(() => undefined);
    await this.headFile?.close().catch(() => undefined);
    this.headFile = undefined;
  }

  /** Closes the descriptor after an error, because what the kernel kept of a failed sync cannot be trusted. */
  async abandonFile(): Promise<void> {
    await this.closeFile().catch(() => undefined);
  }

  private async ensureFile(): Promise<void> {
    const { storage, paths } = this.environment;
    this.file ??= await storage.openForAppend(paths.current);
    if (!this.unclean) return;
    const { offset, hash } = this.state;
    const whole =
      (await this.file.size()) >= offset &&
      (offset === 0 || (await readLastSeal(paths.current, offset))?.hash === hash);
    if (!whole) await this.leaveDamagedFile();
    else await this.file.truncate(offset);
    this.unclean = false;
  }

  /**
   * The file contains something that this writer did not write. It stays as it is, and the chain continues in
   * a new file that says so.
   */
  private async leaveDamagedFile(): Promise<void> {
    const { storage, paths, logger } = this.environment;
    await this.closeFile();
    await storage.rename(paths.current, paths.rotated(this.state.segment));
    this.state = { ...this.state, segment: this.state.segment + 1, offset: 0 };
    const damage = `the log ${TAKEN}`;
    logger.error({ file: paths.current }, `The audit log is damaged: it ${TAKEN}`);
    this.preface = [this.openEntry({ damage })];
    this.file = await storage.openForAppend(paths.current);
  }

  private async closeFile(): Promise<void> {
    const file = this.file;
    this.file = undefined;
    await file?.close();
  }

  /**
   * A checkpoint never signs two consecutive batches. Two such statements would make a valid head, so
   * somebody with write access to the folder could cut off the log after them, even without an old copy of
   * the head.
   */
  private isCheckpointDue(): boolean {
    if (this.checkpointBatch !== undefined && this.state.batch <= this.checkpointBatch + 1) return false;
    if (this.checkpointWanted) return true;
    if (!this.hasUncheckpointed) return false;
    const age = monotonic(this.environment.clock) - this.checkpointTime;
    return this.state.seq - this.checkpointSeq >= CHECKPOINT_RECORDS || age >= CHECKPOINT_MS;
  }

  private async checkpointEntry(): Promise<string[]> {
    const { signer, clock } = this.environment;
    return [encodeEntry({ checkpoint: await signer.sign(this.state, { time: clock.now(), closed: false }) })];
  }

  private noteCheckpoint(batch: number, seq: number): void {
    this.checkpointBatch = batch;
    this.checkpointWanted = false;
    this.checkpointSeq = seq;
    this.checkpointTime = monotonic(this.environment.clock);
  }

  /**
   * The records are already on disk, so a head that cannot be written does not undo them. The operator gets a
   * message, and the next commit writes the head again.
   */
  private async stateHead(closed: boolean): Promise<void> {
    const { signer, clock, logger, paths } = this.environment;
    try {
      const statement = await signer.sign(this.state, { time: clock.now(), closed });
      const { bytes, position } = headSlotOf(statement);
      await this.headFile!.writeAt(bytes, position);
    } catch (error) {
      logger.error(
        { file: paths.head, reason: reasonOf(error) },
        'The head of the audit log could not be written',
      );
    }
  }

  private openEntry(findings: Pick<OpenEntry, 'torn' | 'damage'>): string {
    const { signer, signingKey, clock } = this.environment;
    const { writer, segment } = this.state;
    const identity = { pid: process.pid, host: hostname(), keyId: signer.keyId, signingKey };
    return encodeEntry({ open: { v: 2, writer, segment, time: clock.now(), ...identity, ...findings } });
  }
}
