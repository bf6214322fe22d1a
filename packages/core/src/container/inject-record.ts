import type { InjectionToken } from './token.js';

export interface InjectOptions {
  /** Give `undefined` instead of failing when nothing provides the token. */
  optional?: boolean;
}

/** What an `@Inject` record holds. */
export interface InjectRecord extends InjectOptions {
  token: InjectionToken | (() => InjectionToken);
}
