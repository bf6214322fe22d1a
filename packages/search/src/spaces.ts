import { getOrMake } from '@toolwright/json';
import { actionOf } from './actions.js';
import type { ToolDocument } from './tool-document.js';
import type { VisibleTools } from './visible-tools.js';
import { originTermsOf } from './words.js';

/** A first word of this number of names is the name of an API. */
const FEWEST = 8;

/** Of the tools that have a word, this share must come from one place. Then the word names the place. */
const SHARE = 0.8;

/** What tools say of the APIs and servers that they belong to. `Spaces` says what a caller knows of it. */
export interface SpaceNames {
  readonly documents: readonly ToolDocument[];
  /** The positions of the tools whose names begin with a word. */
  readonly first: ReadonlyMap<string, readonly number[]>;
  /** The positions of the tools of each origin. */
  readonly origins: ReadonlyMap<string, readonly number[]>;
  /** The origins that a word may name. */
  readonly namedBy: ReadonlyMap<string, readonly string[]>;
  /** The positions of the tools that have a word. */
  having(word: string): readonly number[];
}

export function spaceNames(documents: readonly ToolDocument[], having: SpaceNames['having']): SpaceNames {
  const first = new Map<string, number[]>();
  const origins = new Map<string, number[]>();
  documents.forEach(({ name: [word], origin }, position) => {
    if (word !== undefined && actionOf(word) === undefined) push(first, word, position);
    if (origin !== undefined) push(origins, origin, position);
  });
  const namedBy = new Map<string, string[]>();
  for (const origin of origins.keys()) for (const word of originTermsOf(origin)) push(namedBy, word, origin);
  return { documents, first, origins, namedBy, having };
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  getOrMake(map, key, () => []).push(value);
}

/** The API or the server that each tool belongs to, and which of them a query names, as visible tools tell it. */
export class Spaces {
  readonly #isPrefix = new Map<string, boolean>();
  readonly #named = new Map<string, string | undefined>();

  constructor(
    private readonly names: SpaceNames,
    private readonly visible: VisibleTools,
  ) {}

  /** The space of the tool at a position. */
  of(position: number): string | undefined {
    const { origin, name } = this.names.documents[position]!;
    const word = name[0] ?? '';
    return origin ?? (this.#begins(word) ? word : undefined);
  }

  /** The space that a query names. */
  namedBy(terms: readonly string[]): string | undefined {
    for (const term of terms) {
      const space = this.#nameOf(term);
      if (space !== undefined) return space;
    }
    return undefined;
  }

  /** Whether a word names the space of the tool at a position. */
  isName(word: string, position: number): boolean {
    const space = this.of(position);
    return space !== undefined && this.#nameOf(word) === space;
  }

  /** The space that a word names: an origin, or else the first word of many names. */
  #nameOf(word: string): string | undefined {
    if (this.#named.has(word)) return this.#named.get(word);
    const { namedBy, origins, first } = this.names;
    // What no tool has is not remembered: callers have no end of words.
    if (!namedBy.has(word) && !first.has(word)) return undefined;
    // No two origins can have this share of its tools.
    const origin = namedBy
      .get(word)
      ?.find((each) => this.visible.countOf(origins.get(each)!) > 0 && this.#isOwn(word, each));
    const space = origin ?? (this.#begins(word) ? word : undefined);
    this.#named.set(word, space);
    return space;
  }

  /** Whether many names begin with a word. */
  #begins(word: string): boolean {
    const known = this.#isPrefix.get(word);
    if (known !== undefined) return known;
    const tools = this.names.first.get(word);
    if (!tools) return false;
    const begins = this.visible.countOf(tools) >= FEWEST;
    this.#isPrefix.set(word, begins);
    return begins;
  }

  /** Whether nearly all tools that have a word are those of an origin. */
  #isOwn(word: string, origin: string): boolean {
    const all = this.names.having(word).filter((position) => this.visible.has(position));
    const own = all.filter((position) => this.of(position) === origin).length;
    return own >= all.length * SHARE;
  }
}
