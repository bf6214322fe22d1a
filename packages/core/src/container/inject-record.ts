import type { InjectionToken } from './token.js';

export interface InjectOptions {
  /** Passes `undefined` when nothing provides the token. Default false: the server does not start. */
  optional?: boolean;
}

/** The content of an `@Inject` record. */
export interface InjectRecord extends InjectOptions {
  token: InjectionToken | (() => InjectionToken);
}
