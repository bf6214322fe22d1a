import type { BoundTool } from '@toolwright/core';
import { getOrMake, tokensOfBytes } from '@toolwright/json';
import { declareTools } from './declare-tools.js';

/** A declaration of one tool. */
interface Declared {
  readonly text: string;
  readonly tokens: number;
}

/** After this number of tools that do not fit, no further one is tried. */
const MOST_MISSES = 10;

/** Callers with different rights see different texts. More of them than these write theirs again. */
const MOST_TEXTS = 100;

/** How programs call the tools of a server. Each is written once, and so is what each set of tools is described by. */
export class Declarations {
  readonly #known = new WeakMap<BoundTool, Declared>();
  readonly #texts = new Map<string, string>();
  readonly #numbers = new WeakMap<BoundTool, number>();
  #last = 0;

  /** The tokens that builds have counted, by the keys of manifest entries. */
  counted: ReadonlyMap<string, number> = new Map();

  /** @param most how many tokens the declarations in a description take */
  constructor(private readonly most: number) {}

  /** The declaration of one tool, with all types that it uses. */
  readonly of = (tool: BoundTool): string => this.#declared(tool).text;

  /**
   * The first declarations, as many as fit. One that does not fit leaves its place to a smaller one. The same tools give the
   * same text: hosts keep it.
   */
  first(tools: readonly BoundTool[]): { readonly text: string; readonly others: number } {
    const taken: BoundTool[] = [];
    let left = this.most;
    let misses = 0;
    for (const tool of tools) {
      // To know the size of a declaration is to write it, and a server may have thousands.
      if (misses >= MOST_MISSES) break;
      const { tokens } = this.#declared(tool);
      if (tokens > left) misses++;
      else {
        taken.push(tool);
        left -= tokens;
      }
    }
    return { text: this.#textOf(taken), others: tools.length - taken.length };
  }

  #textOf(tools: readonly BoundTool[]): string {
    if (tools.length === 0) return '';
    const key = tools.map((tool) => this.#numberOf(tool)).join();
    let text = this.#texts.get(key);
    if (text === undefined) {
      if (this.#texts.size >= MOST_TEXTS) this.#texts.clear();
      this.#texts.set(key, (text = declareTools(tools)));
    }
    return text;
  }

  #numberOf(tool: BoundTool): number {
    return getOrMake(this.#numbers, tool, () => ++this.#last);
  }

  #declared(tool: BoundTool): Declared {
    return getOrMake(this.#known, tool, () => {
      const text = declareTools([tool]);
      const tokens =
        (tool.entry && this.counted.get(tool.entry.key)) ?? tokensOfBytes(Buffer.byteLength(text));
      return { text, tokens };
    });
  }
}
