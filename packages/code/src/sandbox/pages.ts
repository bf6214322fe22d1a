/** Memory of WebAssembly grows by pages of this many bytes. */
export const PAGE = 65_536;

/** Numbers of pages, which all threads of the process share. */
export interface RoomCounters {
  /** What is left in the process. */
  readonly all: Int32Array;
  /** What is left to the caller or its tenant. */
  readonly party: Int32Array;
  /** What the program has. */
  readonly held: Int32Array;
}

/**
 * Takes memory for a program.
 *
 * @returns false when there is not so much left, and nothing is taken
 */
export function takePages({ all, party, held }: RoomCounters, pages: number): boolean {
  // There is no loop and no call between these: a thread that is ended stops only there, and the numbers would stay wrong.
  const inAll = Atomics.sub(all, 0, pages);
  const inParty = Atomics.sub(party, 0, pages);
  Atomics.add(held, 0, pages);
  if (inAll >= pages && inParty >= pages) return true;
  Atomics.add(all, 0, pages);
  Atomics.add(party, 0, pages);
  Atomics.sub(held, 0, pages);
  return false;
}
