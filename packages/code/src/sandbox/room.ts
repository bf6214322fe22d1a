import { PAGE, type RoomCounters, takePages } from './pages.js';

/** The most bytes that the programs of a process have while they run or wait. */
const MOST_BYTES = 1_073_741_824;

/** What a thread and an interpreter take before the program has done anything, in bytes. */
const LEAST_BYTES = 22 * 1_048_576;

/** Three quarters are what the programs of one caller have at most, or of one tenant. What is left is for the others. */
export const MOST_OF_PARTY = (MOST_BYTES * 3) / 4;

/** The words for a program that finds no memory. */
export const ROOM_LIMIT = `The programs of this server may have ${MOST_BYTES} bytes of memory in all, and those of one caller ${MOST_OF_PARTY}`;

const counter = (bytes: number): Int32Array => {
  const pages = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  pages[0] = bytes / PAGE;
  return pages;
};

/** What is left in the process, whatever the server. */
const all = counter(MOST_BYTES);

/** What is left to each caller or tenant that has programs, and how many. */
const parties = new Map<string, { readonly left: Int32Array; programs: number }>();

/** The memory of one program, from its beginning to its end. Threads count what they take where it is counted here. */
export class Room {
  readonly counters: RoomCounters;
  /** Bytes that do not fill a page yet. */
  #rest = 0;

  private constructor(
    private readonly party: string,
    left: Int32Array,
  ) {
    this.counters = { all, party: left, held: counter(0) };
  }

  /**
   * @param key the caller, or its tenant
   * @returns `undefined` when the process has no memory for another program, or not for one of this caller
   */
  static enter(key: string): Room | undefined {
    const party = parties.get(key) ?? { left: counter(MOST_OF_PARTY), programs: 0 };
    const room = new Room(key, party.left);
    if (!room.take(LEAST_BYTES)) return undefined;
    party.programs++;
    parties.set(key, party);
    return room;
  }

  /** @returns false when there is no such room, and nothing is taken */
  take(bytes: number): boolean {
    const wanted = this.#rest + bytes;
    const pages = Math.floor(wanted / PAGE);
    if (!takePages(this.counters, pages)) return false;
    this.#rest = wanted - pages * PAGE;
    return true;
  }

  /** Gives back all that the program has taken. Its thread has ended, or has forgotten it. */
  leave(): void {
    const { party, held } = this.counters;
    const pages = Atomics.exchange(held, 0, 0);
    Atomics.add(all, 0, pages);
    Atomics.add(party, 0, pages);
    const own = parties.get(this.party)!;
    if (--own.programs === 0) parties.delete(this.party);
  }
}
