const SLAB = 65_536;
/** 1 MiB: what three group commits take. */
const MAX_SPARE = 16;

/** Memory for lines. */
export interface Slab {
  readonly bytes: Buffer;
  used: number;
  /** Runs of lines in it that are still kept. */
  runs: number;
}

/**
 * Hands out memory outside of V8's heap, and takes it back: what is new each time survives minor collections, and counts for V8
 * until a full one, of which it then makes several a second.
 */
export class LineSlabs {
  private current = newSlab(SLAB);
  private readonly spare: Slab[] = [];

  /** One with room for the text behind what is used of it. */
  slabFor(text: string): Slab {
    // A UTF-16 unit takes at most three bytes.
    const most = text.length * 3;
    if (most > SLAB) return newSlab(most);
    if (this.current.used + most > SLAB) this.current = this.spare.pop() ?? newSlab(SLAB);
    return this.current;
  }

  /** Once for each run, when its bytes are not needed any more. */
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
