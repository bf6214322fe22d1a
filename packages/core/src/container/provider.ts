import type { MaybePromise } from '../base/maybe-promise.js';
import type { Constructor } from '../call/operation/target.js';
import type { InjectionToken } from './token.js';

/** How long an instance lives: as long as the server, as one session of a client, or as one call. */
export type Scope = 'singleton' | 'session' | 'request';

/** A class is built; its constructor's parameters are injected. */
export interface ClassProvider<T = unknown> {
  provide: InjectionToken<T>;
  useClass: Constructor<T & object>;
  scope?: Scope;
}

/** A function makes the value, from what `inject` lists, in that order; it may be async. */
export interface FactoryProvider<T = unknown> {
  provide: InjectionToken<T>;
  useFactory: (...dependencies: never[]) => MaybePromise<T>;
  inject?: readonly (InjectionToken | OptionalToken)[];
  scope?: Scope;
}

/** A value that is already there. The container never initialises or disposes it. */
export interface ValueProvider<T = unknown> {
  provide: InjectionToken<T>;
  useValue: T;
}

/** Another name for something else that is provided. */
export interface AliasProvider<T = unknown> {
  provide: InjectionToken<T>;
  useExisting: InjectionToken<T>;
}

/** Listed in `inject` for something that may be missing. */
export interface OptionalToken {
  token: InjectionToken;
  optional: boolean;
}

/** How to get what a token stands for. A class alone provides itself. */
export type Provider = Constructor | ClassProvider | FactoryProvider | ValueProvider | AliasProvider;

/** Initialised when everything it was built with is, before the server takes its first call. */
export interface OnInit {
  onInit(): unknown;
}

/**
 * Disposed when the server closes, the session ends (in session scope) or the call ends (in request scope), before
 * everything it was built with.
 */
export interface OnDispose {
  onDispose(): unknown;
}
