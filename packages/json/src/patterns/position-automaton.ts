import type { AST } from '@eslint-community/regexpp';
import type { Characters } from './character-overlap.js';
import type { Alternatives } from './parse-pattern.js';
import { type AnalysisWork, TooLargeError } from './work.js';

/** With more positions, the product of the automaton with itself would be too large for a boot. */
const MAX_POSITIONS = 128;

/** With more positions in total, a part that repeats a number of times counts as a loop. */
const MAX_WRITTEN_OUT = 2_000;

/**
 * A larger pattern is not analysed. A boot must not wait for it, and neither must a server that proxies
 * others.
 */
const MAX_EDGES = 50_000;

/** Numbers of ways above this one are too many, whatever their exact value. */
const MANY = 1e9;

/** For each position, the number of ways in which a matcher reaches it. */
export type Ways = ReadonlyMap<number, number>;

/**
 * A part of a pattern: the positions where its match can begin and end, and in how many ways it can be empty.
 */
interface Piece {
  first: Ways;
  last: Ways;
  empty: number;
}

const nothing: Piece = { first: new Map(), last: new Map(), empty: 1 };

export interface AutomatonOptions {
  /** The flags of the pattern. */
  flags: string;
  /** What is left for the analysis. */
  work: AnalysisWork;
  /** The match may begin at any character, as if the pattern began with `[^]*`. */
  anywhere?: boolean;
}

/**
 * The position automaton (Glushkov) of a pattern, with one state for each place where a character is matched.
 * Unlike in the textbook, an edge that two parts of the pattern create counts twice, because a backtracking
 * matcher tries it twice.
 */
export class PositionAutomaton {
  /** What each position matches. */
  readonly characters: Characters[] = [];
  /** By position: the positions that may follow, each with the number of ways to it. */
  readonly edges: Map<number, number>[] = [];
  /** Where a match may begin. */
  readonly starts: Ways;
  readonly work: AnalysisWork;
  #flags: string;
  #size = 0;
  /** The groups whose text is compared at the moment, from the outside to the inside. */
  readonly #compared: AST.CapturingGroup[] = [];

  /** @throws {TooLargeError} */
  constructor(alternatives: Alternatives, { flags, work, anywhere = false }: AutomatonOptions) {
    this.#flags = flags;
    this.work = work;
    const skipped = anywhere ? this.#optional(this.#anything()) : nothing;
    this.starts = this.#sequence([() => skipped, () => this.#choice(alternatives)]).first;
  }

  #choice(alternatives: Alternatives): Piece {
    if (alternatives.length === 1) return this.#alternative(alternatives[0]!);
    // A copy for each alternative would take the square of their number.
    const first = new Map<number, number>();
    const last = new Map<number, number>();
    let empty = 0;
    for (const alternative of alternatives) {
      const piece = this.#alternative(alternative);
      this.#add(first, piece.first);
      this.#add(last, piece.last);
      empty = Math.min(empty + piece.empty, MANY);
    }
    return { first, last, empty };
  }

  #alternative({ elements }: AST.Alternative): Piece {
    return this.#sequence(elements.map((element) => () => this.#of(element)));
  }

  #sequence(parts: readonly (() => Piece)[]): Piece {
    return parts.reduce<Piece>((before, make) => {
      const next = make();
      this.#connect(before.last, next.first);
      return {
        first: this.#sum(before.first, next.first, before.empty),
        last: this.#sum(next.last, before.last, next.empty),
        empty: Math.min(before.empty * next.empty, MANY),
      };
    }, nothing);
  }

  #of(element: AST.Element): Piece {
    switch (element.type) {
      case 'Group':
        return this.#group(element);
      case 'CapturingGroup':
        return this.#choice(element.alternatives);
      case 'Quantifier':
        return this.#repeat(element);
      case 'Assertion':
        // A lookaround consumes nothing. It may forbid a match, but that is ignored, so the result may be too
        // high.
        return nothing;
      case 'Backreference':
        return this.#reference(element);
      default:
        return hasStrings(element) ? this.#anyText() : this.#position(element);
    }
  }

  /** `(?i:…)` and `(?-s:…)` change what the characters inside match. */
  #group({ modifiers, alternatives }: AST.Group): Piece {
    const outside = this.#flags;
    for (const flag of modifiers?.add.raw ?? '') this.#flags += flag;
    for (const flag of modifiers?.remove?.raw ?? '') this.#flags = this.#flags.replaceAll(flag, '');
    this.#flags = [...new Set(this.#flags)].join('');
    const piece = this.#choice(alternatives);
    this.#flags = outside;
    return piece;
  }

  /**
   * The same text as an earlier group: one of the texts that the group can match, or none if the group did
   * not match.
   */
  #reference({ resolved }: AST.Backreference): Piece {
    const groups = [resolved].flat();
    if (groups.some((group) => this.#compared.includes(group))) return this.#anyText();
    if (this.characters.length > MAX_POSITIONS) return this.#anyText();
    this.#compared.push(...groups);
    const piece = this.#choice(groups.flatMap(({ alternatives }) => alternatives));
    this.#compared.length -= groups.length;
    return { ...piece, empty: Math.max(piece.empty, 1) };
  }

  /** Any text of any length. */
  #anyText(): Piece {
    return this.#optional(this.#anything());
  }

  #anything(): Piece {
    return this.#position(undefined);
  }

  #position(node: AST.Node | undefined): Piece {
    const position = this.characters.push({ node, flags: this.#flags }) - 1;
    this.edges.push(new Map());
    const here = new Map([[position, 1]]);
    return { first: here, last: here, empty: 0 };
  }

  /**
   * `x{2,4}` is written out as `xx(x(x)?)?`. A repetition that would become too long counts as a loop.
   * Repetitions beyond the minimum are never empty, because matchers refuse that.
   */
  #repeat({ element, min, max }: AST.Quantifier): Piece {
    if (max === 0) return nothing;
    const before = this.characters.length;
    const copy = this.#of(element);
    const size = this.characters.length - before;
    const copies = Number.isFinite(max) ? max : min;
    if (size * copies > MAX_POSITIONS || before + size * copies > MAX_WRITTEN_OUT)
      return this.#endless(copy, min);
    if (!Number.isFinite(max) && min === 1 && copy.empty === 0) return this.#endless(copy, min);
    let isUsed = false;
    const next = () => {
      const piece = isUsed ? this.#of(element) : copy;
      isUsed = true;
      return piece;
    };
    const needed = Array.from({ length: min }, () => next);
    const others = () => (Number.isFinite(max) ? this.#upTo(max - min, next) : this.#optional(next()));
    return this.#sequence([...needed, others]);
  }

  /** `(x(x(x)?)?)?` */
  #upTo(count: number, next: () => Piece): Piece {
    let tail: Ways | undefined;
    let all: Piece = nothing;
    for (let copy = 0; copy < count; copy++) {
      const { first, last } = next();
      if (tail) this.#connect(tail, first);
      all = { first: tail ? all.first : first, last: this.#sum(all.last, last), empty: 1 };
      tail = last;
    }
    return all;
  }

  /** `x*` */
  #optional(piece: Piece): Piece {
    this.#connect(piece.last, piece.first);
    return { ...piece, empty: 1 };
  }

  #endless(piece: Piece, min: number): Piece {
    this.#connect(piece.last, piece.first);
    // Each of the required repetitions may be the empty one, which gives more ways.
    if (piece.empty > 0 && min > 1) this.#connect(piece.last, piece.first);
    return min === 0 ? { ...piece, empty: 1 } : piece;
  }

  #connect(from: Ways, to: Ways): void {
    for (const [position, ways] of from) {
      const edges = this.edges[position]!;
      for (const [next, more] of to) {
        if (++this.#size > MAX_EDGES) throw new TooLargeError();
        edges.set(next, Math.min((edges.get(next) ?? 0) + ways * more, MANY));
      }
    }
  }

  #sum(one: Ways, other: Ways, factor = 1): Ways {
    if (factor === 0) return one;
    this.work.take(one.size);
    const total = new Map(one);
    this.#add(total, other, factor);
    return total;
  }

  #add(total: Map<number, number>, other: Ways, factor = 1): void {
    this.work.take(other.size);
    for (const [position, ways] of other)
      total.set(position, Math.min((total.get(position) ?? 0) + ways * factor, MANY));
  }
}

/** Whether a class of the v flag may match more than one character, or none: `[\q{abc|}]`, `\p{RGI_Emoji}`. */
function hasStrings(node: AST.Node): boolean {
  switch (node.type) {
    case 'ClassStringDisjunction':
      return true;
    case 'CharacterSet':
      return node.kind === 'property' && node.strings;
    case 'CharacterClass':
      return node.elements.some(hasStrings);
    case 'ExpressionCharacterClass':
      return hasStrings(node.expression);
    case 'ClassIntersection':
    case 'ClassSubtraction':
      return hasStrings(node.left) || hasStrings(node.right);
    default:
      return false;
  }
}
