import { type KindCollections, type OperationKind, kindNames } from '../../base/operation-kinds.js';
import { type OptionRule, wrongOption } from '../../base/options/option-schema.js';
import type { Principal } from '../../base/request-context.js';
import type { Audience, BoundOperation, BoundResource, BoundResourceTemplate, OfKind } from './operation.js';

/**
 * The operations of one kind, in the order in which they were declared. The protocol reads them from here.
 */
export interface Catalogue<O extends BoundOperation> {
  /** The operation with this name, or the first of several that are for different callers. */
  get(name: string): O | undefined;
  /** All operations with this name. What nobody may see because of one of them is hidden for all. */
  candidates(name: string): readonly O[];
  /**
   * The operation with this name that is for this caller. If none is, the first one: its chain refuses the caller.
   *
   * @throws {ConfigurationError} when several are for this caller
   */
  getFor(name: string, principal: Principal | undefined): O | undefined;
  /** What lists may show. Returns the same array until the next change, so that the array can be the key of a cache. */
  list(): readonly O[];
  /** Every operation, also the older versions of tools, which no list shows. The same array until the next change. */
  everything(): readonly O[];
  /** Whether an operation that has gone, or was replaced, had a sensitive part: answers and old lists may still be about it. */
  readonly hadSensitive: boolean;
}

/** The catalogues of all kinds: `tools`, `prompts` and so on. */
export type Catalogues = { readonly [K in OperationKind as KindCollections[K]]: Catalogue<OfKind<K>> };

/** The values of a template's variables. A variable has a list if its parameter takes one. */
export type ResourceVariables = Readonly<Record<string, string | readonly string[]>>;

/** Decides who may read a resource at one URI. */
export type MayRead = (
  principal: Principal | undefined,
  resource: Omit<BoundResource | BoundResourceTemplate, 'run'>,
  uri: string,
  variables: ResourceVariables,
) => boolean;

/** What functions that say whom an operation is for have answered about one caller. Many operations may share one. */
export type AudienceAnswers = Map<Audience, boolean>;

/** Every operation that the server offers. */
export interface Registry extends Catalogues {
  /**
   * True when the caller may see and use the operation. The same check guards the call. A resource with a fixed
   * URI is visible to those who may read it; a template, to those who may read something of it.
   */
  visible(operation: BoundOperation, principal: Principal | undefined): boolean;
  /**
   * True when lists show the operation to the caller: it may use it, or it learns there which scopes it lacks. Only
   * lists may ask this.
   *
   * @param answers those of this list so far: each function is asked once for a list
   */
  listed(operation: BoundOperation, principal: Principal | undefined, answers?: AudienceAnswers): boolean;
  /**
   * True when the caller may read the resource at this URI. Reading, subscribing and each delivered update ask it. So
   * do lists, for resources with a fixed URI.
   */
  readonly mayRead: MayRead;
  /**
   * True when the visibility of some operation depends on the caller. Caches must then treat lists as
   * private.
   */
  readonly perCaller: boolean;
}

/** The rule for the option `appliesTo`. */
export const someKinds: OptionRule = {
  expected: `a list of some of ${kindNames.map((kind) => `'${kind}'`).join(', ')}`,
  accepts: (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((kind) => kindNames.includes(kind as OperationKind)),
};

/** @throws {ConfigurationError} if `appliesTo` is empty, or names an unknown kind of operation */
export function checkKinds(appliesTo: readonly OperationKind[] | undefined): void {
  if (appliesTo === undefined || someKinds.accepts(appliesTo)) return;
  throw wrongOption(
    `appliesTo: ${JSON.stringify(appliesTo)} must be ${someKinds.expected}.`,
    'Name the kinds that the policy is for, or leave it out.',
  );
}
