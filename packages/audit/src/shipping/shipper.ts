import type { Clock, Logger } from '@toolwright/core/ports';
import { AsyncLocalStorage } from 'node:async_hooks';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { growingPause, reasonOf } from '@toolwright/json';
import type { LogPaths } from '../files/log-paths.js';
import { type Position, readSince } from '../read/read-since.js';
import type { AuditRecord } from '../record.js';
import type { RecordSink } from './record-sink.js';

interface ShippingEnvironment {
  log: LogPaths;
  slot: number;
  clock: Clock;
  logger: Logger;
  /** The end of the chain on disk. Nothing after it is sent. */
  committed(): Position;
}

const DAMAGED = 'Records of the audit log cannot be read, and are not shipped. Run: toolwright audit verify';

const RECORDS_PER_SHIPMENT = 500;
const RETRY = { firstMs: 500, longestMs: 60_000 };

/**
 * Sends the records of the log to one sink. It reads the files, not the queue. So a sink that is down for a
 * day takes no memory, and after a restart the shipper continues at its cursor. The cursor moves after the
 * sink has accepted a batch, so each record is delivered at least once.
 */
export class Shipper {
  private position: Position = { segment: 1, offset: 0 };
  private running: Promise<void> | undefined;
  private again = false;
  private cancelRetry: (() => void) | undefined;
  private failures = 0;
  private stopped = false;
  /** A sink never runs in the context of a caller, even if a caller wakes the shipper. */
  private readonly atBoot = AsyncLocalStorage.snapshot();

  private constructor(
    private readonly sink: RecordSink,
    private readonly environment: ShippingEnvironment,
  ) {}

  static async open(sink: RecordSink, environment: ShippingEnvironment): Promise<Shipper> {
    const shipper = new Shipper(sink, environment);
    shipper.position = (await readCursor(shipper.cursorPath)) ?? shipper.position;
    shipper.wake();
    return shipper;
  }

  /** The first segment that was not sent completely. */
  get segment(): number {
    return this.position.segment;
  }

  /** Call this when there may be new records. */
  wake(): void {
    if (this.stopped || this.cancelRetry) return;
    this.again = true;
    this.running ??= this.atBoot(() => this.run()).finally(() => (this.running = undefined));
  }

  /** Resolves when everything stored has been sent, or the sink accepts nothing at the moment. */
  async settled(): Promise<void> {
    this.wake();
    await this.running;
  }

  /** Tries once more to send everything, then closes the sink. The rest is sent after a restart. */
  async close(): Promise<void> {
    this.stopRetrying();
    await this.running;
    this.stopRetrying();
    this.wake();
    this.stopped = true;
    await this.running;
    this.stopRetrying();
    await this.sink.close?.();
  }

  private stopRetrying(): void {
    this.cancelRetry?.();
    this.cancelRetry = undefined;
  }

  private async run(): Promise<void> {
    try {
      while (this.again) {
        this.again = false;
        await this.shipAll();
      }
      this.failures = 0;
    } catch (error) {
      this.environment.logger.warn(
        { sink: this.sink.name, reason: reasonOf(error) },
        'An audit sink accepts no records at the moment',
      );
      this.cancelRetry = this.environment.clock.after(growingPause(this.failures++, RETRY), () => {
        this.cancelRetry = undefined;
        this.wake();
      });
    }
  }

  private async shipAll(): Promise<void> {
    const { log, slot, committed } = this.environment;
    const end = committed();
    let gathered: AuditRecord[] = [];
    let reached = this.position;
    for await (const { records, unreadable, position } of readSince(log, slot, { position: this.position })) {
      if (isAfter(position, end)) break;
      if (unreadable > 0) this.environment.logger.error({ sink: this.sink.name, unreadable }, DAMAGED);
      gathered = gathered.concat(records);
      reached = position;
      if (gathered.length < RECORDS_PER_SHIPMENT) continue;
      await this.ship(gathered, reached);
      gathered = [];
    }
    await this.ship(gathered, reached);
  }

  private async ship(records: AuditRecord[], reached: Position): Promise<void> {
    if (records.length > 0) {
      await this.sink.ship(records);
      await writeCursor(this.cursorPath, reached);
    }
    this.position = reached;
  }

  private get cursorPath(): string {
    return this.environment.log.writer(this.environment.slot).cursor(this.sink.name);
  }
}

/** How far a sink has got a writer's records; `undefined` when that is not known, which is when nothing was sent. */
export async function readCursor(path: string): Promise<Position | undefined> {
  try {
    const { segment, offset } = JSON.parse(await readFile(path, 'utf8')) as Position;
    return Number.isSafeInteger(segment) && Number.isSafeInteger(offset) ? { segment, offset } : undefined;
  } catch {
    // There is no cursor yet, or it cannot be read. Then everything is sent again, and duplicates are removed
    // by id.
    return undefined;
  }
}

async function writeCursor(path: string, position: Position): Promise<void> {
  const draft = `${path}.draft`;
  await writeFile(draft, JSON.stringify(position));
  await rename(draft, path);
}

export function isAfter(a: Position, b: Position): boolean {
  return a.segment > b.segment || (a.segment === b.segment && a.offset > b.offset);
}
