import type { Awaitable, OnServer } from './overview-api.js';
import type { Identity } from './surface-api.js';

/** A tool that a search finds, and why, as `@toolwright/search` says it. */
export interface FoundByQuery {
  readonly name: string;
  readonly description: string;
  readonly category?: string;
  /** The scopes that the caller lacks. */
  readonly missingScopes?: readonly string[];
  readonly score: number;
  readonly matches: readonly {
    readonly said: string;
    /** The stem of the word that the tool has. */
    readonly found: string;
    readonly parts: readonly string[];
  }[];
}

interface SearchAnswer {
  /** Best first. Missing in a server without the option `toolSearch`. */
  readonly found?: readonly FoundByQuery[];
  /** Words of the query that find none of these tools. */
  readonly unmatched: readonly string[];
  /** What the server has answered in place of tools. */
  readonly refusal?: string;
}

export interface SearchApi {
  /** What a caller finds with a query. It is a search of this caller: the audit log and the counters have it. */
  searchTools(params: OnServer & { readonly query: string; readonly as?: Identity }): Awaitable<SearchAnswer>;
}
