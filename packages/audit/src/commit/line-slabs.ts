import type { Line } from '../chain/batch.js';

const SLAB = 65_536;

/**
 * Keeps lines as bytes until their commit. As text, hundreds of them survive V8's minor collections, which then enlarges its
 * nursery beyond the processor's caches: that slows down all that the process does.
 */
export class LineSlabs {
  private slab = Buffer.allocUnsafeSlow(SLAB);
  private used = 0;

  add(text: string): Line {
    // A UTF-16 unit takes at most three bytes.
    const most = text.length * 3;
    if (most > SLAB) return lineOf(Buffer.from(text));
    if (this.used + most > SLAB) {
      this.slab = Buffer.allocUnsafeSlow(SLAB);
      this.used = 0;
    }
    const { slab, used: start } = this;
    this.used += slab.write(text, start);
    return { slab, start, end: this.used };
  }
}

function lineOf(slab: Buffer): Line {
  return { slab, start: 0, end: slab.length };
}
