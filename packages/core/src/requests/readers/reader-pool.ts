import { type Clock, monotonic } from '@toolwright/ground/ports/clock-and-ids';

/** A client that has not read yet what the process has sent to it. */
export interface SlowReader {
  /** Whose client it is. */
  readonly owner: string;
  /** How many bytes may wait for all readers of the process together. */
  readonly maxUnreadBytes: number;
  /** How many messages wait for it. */
  readonly messages: number;
  readonly clock: Clock;
  /** Ends its connection, and forgets what waits. */
  cut(quietMs: number): void;
}

interface Waiting {
  readonly bytes: number;
  /** When the reader last took something, or when something began to wait for it. */
  readonly since: number;
}

/** The part of the limit that may wait for the readers of one caller, while some of them are slow. */
const SHARE_OF_CALLER = 1 / 2;
/** The part of the limit from which slow readers are cut, whoever they belong to. */
const MUCH = 3 / 4;
/** How many milliseconds a reader may take nothing before it counts as slow. */
const PATIENCE_MS = 5_000;
/** How often readers are looked at while much waits, in milliseconds. */
const LOOK_MS = 1_000;

/**
 * All clients of this process that have not taken what was written for them. There is one limit, because the process
 * has one memory. While little waits, nobody is cut, however slowly it reads. While much waits, readers are cut that
 * have taken nothing for a time: much that was written at once says nothing about a reader. At the limit, the reader
 * that has taken nothing for longest is cut at once; first one of a caller that has more than its share.
 */
export class ReaderPool {
  /** The reader that has taken nothing for longest comes first. */
  readonly #readers = new Map<SlowReader, Waiting>();
  readonly #bytesOf = new Map<string, number>();
  #bytes = 0;
  /** The clocks that a look waits for. Servers of one process may have different ones. */
  readonly #looks = new Set<Clock>();

  /**
   * Notes how much waits for a reader now; 0 when it has taken everything, or has gone.
   *
   * @param hasTaken whether it has taken something
   */
  note(reader: SlowReader, bytes: number, hasTaken: boolean): void {
    const known = this.#readers.get(reader);
    const more = bytes - (known?.bytes ?? 0);
    if (more !== 0) this.#count(reader.owner, more);
    if (bytes > 0 && known && !hasTaken) this.#readers.set(reader, { bytes, since: known.since });
    else {
      this.#readers.delete(reader);
      if (bytes > 0) this.#readers.set(reader, { bytes, since: monotonic(reader.clock) });
    }
    if (more <= 0) return;
    if (this.#bytes > reader.maxUnreadBytes) this.#makeRoom(reader);
    if (this.#isMuchFor(reader)) this.#lookLater(reader.clock);
  }

  #makeRoom(writing: SlowReader): void {
    for (const mayCut of [(reader: SlowReader) => this.#hasMoreThanItsShare(reader), () => true])
      for (const [reader, { since }] of this.#readers) {
        if (this.#bytes <= writing.maxUnreadBytes) return;
        // A message may be as large as the output allows, so the only one of its reader never costs this reader its place.
        const isFirst = reader === writing && reader.messages === 1;
        if (!isFirst && mayCut(reader)) reader.cut(monotonic(reader.clock) - since);
      }
  }

  #hasMoreThanItsShare({ owner, maxUnreadBytes }: SlowReader): boolean {
    return (this.#bytesOf.get(owner) ?? 0) > maxUnreadBytes * SHARE_OF_CALLER;
  }

  #isMuchFor(reader: SlowReader): boolean {
    return this.#bytes > reader.maxUnreadBytes * MUCH || this.#hasMoreThanItsShare(reader);
  }

  #lookLater(clock: Clock): void {
    if (this.#looks.has(clock)) return;
    this.#looks.add(clock);
    clock.after(LOOK_MS, () => {
      // After a turn that took long, readers have not had a chance yet: their sockets come before this.
      setImmediate(() => {
        this.#looks.delete(clock);
        this.#look();
      });
    });
  }

  #look(): void {
    let next: Clock | undefined;
    for (const [reader, { since }] of this.#readers) {
      if (!this.#isMuchFor(reader)) continue;
      const quietMs = monotonic(reader.clock) - since;
      if (quietMs >= PATIENCE_MS) reader.cut(quietMs);
      else next = reader.clock;
    }
    if (next) this.#lookLater(next);
  }

  #count(owner: string, more: number): void {
    this.#bytes += more;
    const bytes = (this.#bytesOf.get(owner) ?? 0) + more;
    if (bytes > 0) this.#bytesOf.set(owner, bytes);
    else this.#bytesOf.delete(owner);
  }
}
