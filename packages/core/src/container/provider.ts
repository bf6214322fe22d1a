import type { MaybePromise } from '../base/maybe-promise.js';
import type { Constructor } from '../call/operation/draft.js';
import type { InjectionToken } from './token.js';

/** How long an instance lives: as long as the server, as one session of a client, or as one call. */
export type Scope = 'singleton' | 'session' | 'request';

/** Builds a class and injects the parameters of its constructor. */
export interface ClassProvider<T = unknown> {
  provide: InjectionToken<T>;
  useClass: Constructor<T & object>;
  scope?: Scope;
}

/**
 * Calls a function that makes the value. It gets the values of the tokens in `inject`, in that order. It may
 * be async.
 */
export interface FactoryProvider<T = unknown> {
  provide: InjectionToken<T>;
  useFactory: (...dependencies: never[]) => MaybePromise<T>;
  inject?: readonly (InjectionToken | OptionalToken)[];
  scope?: Scope;
}

/** Provides an existing value. The container never initialises or disposes it. */
export interface ValueProvider<T = unknown> {
  provide: InjectionToken<T>;
  useValue: T;
}

/** Provides another name for something else that is provided. */
export interface AliasProvider<T = unknown> {
  provide: InjectionToken<T>;
  useExisting: InjectionToken<T>;
}

/** An entry of `inject` that may be missing. */
export interface OptionalToken {
  token: InjectionToken;
  optional: boolean;
}

export function isOptionalToken(value: unknown): value is OptionalToken {
  return typeof value === 'object' && value !== null && 'optional' in value && 'token' in value;
}

/** Says how to get the value of a token. A class alone provides itself. */
export type Provider = Constructor | ClassProvider | FactoryProvider | ValueProvider | AliasProvider;

/**
 * The container calls `onInit` after it has initialised everything that the instance was built with, and
 * before the server takes its first call.
 */
export interface OnInit {
  onInit(): unknown;
}

/**
 * The container calls `onDispose` when the server closes, when the session ends (session scope) or when the
 * call ends (request scope). Afterwards it disposes what the instance was built with.
 */
export interface OnDispose {
  onDispose(): unknown;
}
