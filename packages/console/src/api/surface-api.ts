import type { Principal } from '@toolwright/core';
import type { Awaitable, OnServer } from './overview-api.js';

/** Who the console plays when it lists and calls. */
export type Identity = Readonly<Principal>;

export type Kind = 'tool' | 'prompt' | 'resource' | 'resourceTemplate';

/** One tool, prompt, resource or resource template, as its list publishes it. */
export interface Operation {
  readonly kind: Kind;
  /** The name of a tool or prompt, the URI of a resource, the URI template of a template. Unique within its kind. */
  readonly key: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** The entry of the list, word for word. */
  readonly listed: Readonly<Record<string, unknown>>;
  /** The natural JSON Schema of the arguments; for prompts and templates an object of strings. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly output?: Readonly<Record<string, unknown>>;
  /** How many tokens the entry takes in the context of a model, about. */
  readonly tokens: number;
  /** The place of the decorator: `file:line:column`. Left out without a project. */
  readonly location?: string;
  /** The decorated method, as `Class.method`. */
  readonly method?: string;
  /** The operation of an API that it calls, and its specification: `GET /pets/{petId} of petstore.yaml`. */
  readonly origin?: string;
  /** The arguments that have a completion. */
  readonly completes: readonly string[];
  /** The page of an MCP App that shows the result: its URI. */
  readonly app?: string;
  /** What the page of a view was made of, and when. */
  readonly built?: { readonly view: string; readonly bytes: number; readonly at: number };
  /** Whether a call may become a task. */
  readonly task?: 'optional' | 'required';
  /** The scopes that this caller lacks: it is listed, but a call is refused. */
  readonly missingScopes?: readonly string[];
}

/** An operation that this caller does not see. */
export interface HiddenOperation {
  readonly kind: Kind;
  readonly key: string;
  readonly name: string;
  /** Why: the scopes that are missing, or that `authorize` said no. */
  readonly reason: string;
  readonly missingScopes: readonly string[];
}

export interface Surface {
  readonly operations: readonly Operation[];
  readonly hidden: readonly HiddenOperation[];
  /** The tokens of all listed operations, about. */
  readonly tokens: number;
  /** Every scope that some operation asks for. */
  readonly scopes: readonly string[];
}

/** What one caller gets of one tool. `locked`: it is listed, but a call is refused. */
export interface Sight {
  readonly state: 'open' | 'locked' | 'hidden';
  /** The guard that locks or hides it; left out where the list itself leaves it out. */
  readonly guard?: 'scopes' | 'authorize';
  readonly missingScopes: readonly string[];
}

/** One tool, and what each caller gets of it, in the order in which they were asked for. */
export interface SeenTool {
  readonly key: string;
  /** The scopes that it asks for. */
  readonly scopes: readonly string[];
  readonly sights: readonly Sight[];
}

export interface SurfaceApi {
  /** What a caller sees. Without `as`, an anonymous caller. */
  surface(params: OnServer & { readonly as?: Identity }): Awaitable<Surface>;
  /** What each of some callers gets of each tool. `null`: an anonymous caller. */
  whoSees(
    params: OnServer & { readonly callers: readonly (Identity | null)[] },
  ): Awaitable<readonly SeenTool[]>;
}
