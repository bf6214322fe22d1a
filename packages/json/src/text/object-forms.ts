/** The more there are, the fewer forms have the same. */
const MOST_BITS = 17;

/**
 * Counts the forms of the objects in a JSON text that is not parsed yet. Two objects of the same members in the same order have one
 * form, and each member begins another one. A parser takes half a microsecond for a new form, and a whole one where each object has
 * its own. None is kept: each has a bit, and two may have the same, so a few are not counted.
 */
export class ObjectForms {
  count = 0;
  readonly #open: number[] = [];
  readonly #seen: Uint8Array;
  readonly #shift: number;
  /** Nobody outside knows it, and so not which forms share a bit. */
  readonly #first = crypto.getRandomValues(new Int32Array(1))[0]!;

  /** @param text a long one */
  constructor(private readonly text: string) {
    const bits = Math.min(MOST_BITS, 32 - Math.clz32(text.length >> 1));
    this.#seen = new Uint8Array(1 << bits);
    this.#shift = 32 - bits;
  }

  /** An object begins at this depth. */
  open(depth: number): void {
    this.#open[depth] = this.#first;
  }

  /** The object at this depth has one more member, whose name is between these places. */
  add(depth: number, from: number, to: number): void {
    let form = this.#open[depth] ?? this.#first;
    for (let at = from; at <= to; at++) form = Math.imul(form ^ this.text.charCodeAt(at), 0x01000193);
    this.#open[depth] = form;
    const slot = form >>> this.#shift;
    if (this.#seen[slot]) return;
    this.#seen[slot] = 1;
    this.count++;
  }
}
