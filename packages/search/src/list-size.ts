import type { BoundTool } from '@toolwright/core';

/** Four bytes are about one token. */
const BYTES = 4;

/** About how many tokens a text takes that no build has counted. */
export const aboutTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES);

/** How many tokens tools take in a list. */
export class ListSize {
  readonly #known = new WeakMap<BoundTool, number>();

  /** The tokens that builds have counted, by the keys of manifest entries. */
  counted: ReadonlyMap<string, number> = new Map();

  /** Whether the tools take more than this number of tokens. With 0, any tool does. */
  exceeds(tools: readonly BoundTool[], limit: number): boolean {
    let sum = 0;
    for (const tool of tools) if ((sum += this.#of(tool)) > limit) return true;
    return false;
  }

  #of(tool: BoundTool): number {
    let tokens = this.#known.get(tool);
    if (tokens === undefined) this.#known.set(tool, (tokens = this.#count(tool)));
    return tokens;
  }

  #count(tool: BoundTool): number {
    const counted = tool.entry && this.counted.get(tool.entry.key);
    return counted ?? aboutTokens(listedText(tool));
  }
}

/** About what a list has of a tool. */
function listedText({ name, title, description, annotations, inputSchema, outputSchema }: BoundTool): string {
  return JSON.stringify({ name, title, description, annotations, inputSchema, outputSchema });
}
