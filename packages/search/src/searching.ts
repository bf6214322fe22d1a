import type { BoundTool, RequestContext } from '@toolwright/core';

/** A tool of a package that calls others, in place of `call_tool`. */
export interface CallingTool {
  readonly name: string;
  /** Whether the tools stay in the list that it calls. */
  readonly keepsList: boolean;
  /** How a tool is called with it. Answers of the search have it. `undefined`: it does not call that tool. */
  declarationOf(tool: BoundTool): string | undefined;
}

/** What packages use of the search that stand on it. */
export interface Searching {
  /** Names of tools that stay in lists, in the order of the option. */
  readonly pinned: readonly string[];
  /** False for the tools of the search, for what calls others, and for tools that only pages of apps may call. */
  isSearched(tool: BoundTool): boolean;
  /** What is said of a name that no tool of the caller has: the names that are near, and how to search. */
  unknown(name: string, request: RequestContext): Promise<string>;
  /** Has a tool stand first in lists, and `call_tool` in none. The search itself is then always in the list. */
  callWith(tool: CallingTool): void;
}
