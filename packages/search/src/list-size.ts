import type { BoundTool } from '@toolwright/core';
import { getOrMake, tokensOfTool } from '@toolwright/json';

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
    return getOrMake(this.#known, tool, () => this.#count(tool));
  }

  #count(tool: BoundTool): number {
    const counted = tool.entry && this.counted.get(tool.entry.key);
    return counted ?? tokensOfTool(tool);
  }
}
