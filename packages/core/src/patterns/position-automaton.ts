import type { AST } from '@eslint-community/regexpp';

/** More positions make the product of the automaton with itself too large for a boot. */
const MAX_POSITIONS = 128;

/** A piece of a pattern: at which positions a match of it can begin and end, and whether it can be empty. */
interface Piece {
  first: readonly number[];
  last: readonly number[];
  empty: boolean;
}

const nothing: Piece = { first: [], last: [], empty: true };

/**
 * The position automaton (Glushkov) of a pattern: one state for each place where a character is matched. Unlike in
 * the textbook, an edge that two parts of the pattern make counts twice: a backtracking matcher tries it twice.
 */
export class PositionAutomaton {
  /** The source of what each position matches. */
  readonly characters: string[] = [];
  /** By position: the positions that may follow, with the number of ways there. */
  readonly edges: Map<number, number>[] = [];

  /** @param anywhere the match may begin at any character, as if the pattern began with `[^]*` */
  constructor(alternatives: readonly AST.Alternative[], { anywhere = false } = {}) {
    const skipped = anywhere ? this.#loop(this.#position('[^]'), 0) : nothing;
    this.#connect(skipped.last, this.#choice(alternatives).first);
  }

  #choice(alternatives: readonly AST.Alternative[]): Piece {
    const pieces = alternatives.map(({ elements }) =>
      this.#sequence(elements.map((element) => () => this.#of(element))),
    );
    return {
      first: pieces.flatMap(({ first }) => first),
      last: pieces.flatMap(({ last }) => last),
      empty: pieces.some(({ empty }) => empty),
    };
  }

  #sequence(parts: readonly (() => Piece)[]): Piece {
    return parts.reduce<Piece>((before, make) => {
      const next = make();
      this.#connect(before.last, next.first);
      return {
        first: before.empty ? [...before.first, ...next.first] : before.first,
        last: next.empty ? [...before.last, ...next.last] : next.last,
        empty: before.empty && next.empty,
      };
    }, nothing);
  }

  #of(element: AST.Element): Piece {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.#choice(element.alternatives);
      case 'Quantifier':
        return this.#repeat(element);
      case 'Assertion':
        // Looking around consumes nothing; that it may forbid a match is left out, to be on the safe side.
        return nothing;
      case 'Backreference':
        return { ...this.#position('[^]'), empty: true };
      default:
        return this.#position(element.raw);
    }
  }

  #position(raw: string): Piece {
    const position = this.characters.push(raw) - 1;
    this.edges.push(new Map());
    return { first: [position], last: [position], empty: false };
  }

  /** `x{2,4}` is written out as `xx(x(x)?)?`; what would become too long counts as a loop. */
  #repeat({ element, min, max }: AST.Quantifier): Piece {
    if (max === 0) return nothing;
    const before = this.characters.length;
    let copy = this.#of(element);
    const copies = Number.isFinite(max) ? max : Math.max(1, min);
    if (before + (this.characters.length - before) * copies > MAX_POSITIONS) return this.#loop(copy, min);
    const first = [...copy.first];
    const exits = min <= 1 ? [...copy.last] : [];
    let tail = copy.last;
    for (let count = 2; count <= copies; count++) {
      const next = this.#of(element);
      this.#connect(tail, next.first);
      if (copy.empty) first.push(...next.first);
      tail = copy.empty ? [...tail, ...next.last] : next.last;
      if (count >= min) exits.push(...next.last);
      copy = next;
    }
    if (!Number.isFinite(max)) this.#loop(copy, 1);
    return { first, last: exits, empty: min === 0 || copy.empty };
  }

  #loop(piece: Piece, min: number): Piece {
    this.#connect(piece.last, piece.first);
    return min === 0 ? { ...piece, empty: true } : piece;
  }

  #connect(from: readonly number[], to: readonly number[]): void {
    for (const position of from) {
      const edges = this.edges[position]!;
      for (const next of to) edges.set(next, (edges.get(next) ?? 0) + 1);
    }
  }
}
