import type { OptionalToken } from './provider.js';
import type { InjectionToken } from './token.js';

export interface InjectOptions {
  /** Passes `undefined` when nothing provides the token. Default false: the server does not start. */
  optional?: boolean;
}

/** What is injected into a parameter: a token, or a function that returns one. */
export type Injected = InjectionToken | (() => InjectionToken);

/** Tokens by the names of parameters. */
export type NamedInjections = Readonly<Record<string, Injected | OptionalToken>>;

/** The content of an `@Inject` record on a class or on a method. */
export interface NamedInjectRecord {
  tokens: NamedInjections;
}

/** The content of an `@Inject` record. */
export interface InjectRecord extends InjectOptions {
  token: Injected;
}
