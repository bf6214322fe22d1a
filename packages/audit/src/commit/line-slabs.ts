const SLAB = 65_536;
/** How many unused slabs are kept: 1 MiB, the size of three group commits. */
const MAX_SPARE = 16;

/** A block of memory for lines. */
export interface Slab {
  readonly bytes: Buffer;
  used: number;
  /** How many runs of lines in it are still used. */
  runs: number;
}

/**
 * Lends memory outside V8's heap, and takes it back. New memory for each use would survive minor collections,
 * and V8 counts it until a full collection. V8 would then run several full collections a second.
 */
export class LineSlabs {
  private current = newSlab(SLAB);
  private readonly spare: Slab[] = [];

  /** Returns a slab with room for the text after its used part. */
  slabFor(text: string): Slab {
    // A UTF-16 unit takes at most three bytes.
    const most = text.length * 3;
    if (most > SLAB) return newSlab(most);
    if (this.current.used + most > SLAB) this.current = this.spare.pop() ?? newSlab(SLAB);
    return this.current;
  }

  /** Call this once for each run, when its bytes are no longer needed. */
  release(slab: Slab): void {
    if (--slab.runs > 0) return;
    slab.used = 0;
    const isWanted = slab !== this.current && slab.bytes.length === SLAB && this.spare.length < MAX_SPARE;
    if (isWanted) this.spare.push(slab);
  }
}

function newSlab(size: number): Slab {
  return { bytes: Buffer.allocUnsafeSlow(size), used: 0, runs: 0 };
}
