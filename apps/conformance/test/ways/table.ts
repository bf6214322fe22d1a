import type { Policy } from '@toolwright/core';

/**
 * What a way does with the operation that it reaches.
 * - `call`: runs the method of a tool, prompt or resource for a caller
 * - `complete`: runs a completion
 * - `show`: shows that the operation exists, and what it takes
 * - `watch`: tells of its changes
 * - `handle`: looks at, or ends, what a call has begun
 * - `file`: sends a file that a call has made a link to
 * - `clock`: runs a method for nobody
 */
export type Does = 'call' | 'complete' | 'show' | 'watch' | 'handle' | 'file' | 'clock';

/** What a judge may need of a way. */
export type Fact =
  'caller' | 'operation' | 'arguments' | 'schema' | 'structured' | 'made' | 'context' | 'handles';

/** Why a judge means nothing for a way that lacks what it needs. The table leaves out such cells, and no others. */
export const reasons: Readonly<Record<Fact, string>> = {
  caller: 'A run by the clock has no caller, so nobody is refused, limited or asked.',
  operation: 'A file goes by a link of its own: its call was judged when it made the link.',
  arguments: 'A resource with a fixed URI, and what the clock runs, have no arguments.',
  schema: 'Only arguments with a schema can be wrong or sensitive, and a prompt that is listed has none.',
  structured: 'Only tools have results with a schema.',
  made: 'Dates, instances and what libraries make are made for methods, of arguments.',
  context: 'The method of a mounted tool has the context of the server behind.',
  handles: 'Nothing is handed out that somebody else could bring back.',
};

/** A policy with its arguments, as a decorator and as an entry. */
export type Use = readonly [policy: Policy<any[], unknown>, ...args: readonly unknown[]];

/**
 * Who goes: `ann` may do everything, `stranger` has no scopes, `abroad` belongs to another tenant, and the client of `plain`
 * can do nothing but call.
 */
export type Who = 'ann' | 'stranger' | 'abroad' | 'plain';

/** What came of it. */
export interface Reached {
  /** The caller has got what it wanted. */
  readonly isReached: boolean;
  /** Everything that the caller has got, as JSON. */
  readonly text: string;
}

/** Why a cell means nothing; `undefined` for a cell that is tried. */
export function reasonAgainst(
  way: { readonly has: ReadonlySet<Fact>; readonly isInner?: boolean },
  { needs = [], outside }: { readonly needs?: readonly Fact[]; readonly outside?: string },
): string | undefined {
  if (way.isInner && outside !== undefined) return outside;
  const missing = needs.find((need) => !way.has.has(need));
  return missing && reasons[missing];
}

/** @throws {Error} with the text when something does not hold */
export function must(holds: boolean, text: string): asserts holds {
  if (!holds) throw new Error(text);
}
