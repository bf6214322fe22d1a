import type { Policy, ServerOptions, ToolContext } from '@toolwright/core';
import type { Era, Json } from './wire.js';
import type { World } from './world.js';

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

/** What a judge wants of the operation, and of its server. Everything has a default. */
export interface Preparation {
  readonly options?: Partial<ServerOptions>;
  readonly uses?: readonly Use[];
  /** Members of the tool's definition. */
  readonly definition?: Json;
  /** The schema of the argument `of`. */
  readonly of?: Json;
  /** How decorated methods get the argument `of`. */
  readonly revive?: Json;
  readonly output?: Json;
  /** What the caller sends. Default: `{ of: 'x' }`. */
  readonly args?: Json;
  /** What the caller sends beside the parameters of the method, by mistake. */
  readonly stray?: Json;
  /** The method of the author. Default: it returns the mark. */
  run?(args: Json, ctx: ToolContext): unknown;
  /** Is called when the server is there, before the operation is added. */
  started?(world: World): unknown;
}

/** A way to an operation. */
export interface Way {
  readonly name: string;
  readonly does: Does;
  /** The kind of the operation. */
  readonly kind: 'tool' | 'prompt' | 'resource' | 'resourceTemplate';
  readonly eras: readonly Era[];
  /** The methods of the protocol that it sends. */
  readonly methods: readonly string[];
  readonly has: ReadonlySet<Fact>;
  readonly options?: Partial<ServerOptions>;
  /** The results are long, so that there is a rest. */
  readonly isLong?: boolean;
  /** Its operation is a decorated method. */
  readonly isDecorated?: boolean;
  /** The call waits on a queue until there is a slot. */
  readonly isQueued?: boolean;
  /** The tool asks a question of its own before it does anything. */
  readonly asksItself?: boolean;
  /** Options that the server boots with, such as services and stores. */
  services?(world: World): Partial<ServerOptions>;
  /** Adds the operation. */
  place?(world: World): unknown;
  /** What has to be done before the way is gone. Its result is what the way goes on with. */
  begin?(world: World, who: Who): Promise<unknown>;
  reach(world: World, who: Who, begun: unknown): Promise<Reached>;
}

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

/** Something that judges or watches calls. */
export interface Judge {
  readonly name: string;
  /** The guards and observers of the code that it speaks for. */
  readonly covers: readonly string[];
  readonly needs?: readonly Fact[];
  prepare(world: World): Preparation;
  /** @throws when the judge does not do on this way what it does on all others */
  check(world: World): Promise<void>;
}

/** Why a cell means nothing; `undefined` for a cell that is tried. */
export function reasonAgainst(way: Way, { needs = [] }: Pick<Judge, 'needs'>): string | undefined {
  const missing = needs.find((need) => !way.has.has(need));
  return missing && reasons[missing];
}

/** @throws {Error} with the text when something does not hold */
export function must(holds: boolean, text: string): asserts holds {
  if (!holds) throw new Error(text);
}
