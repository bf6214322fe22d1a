import type { SignInDiagnosis } from '@toolwright/json';
import type { Awaitable } from './overview-api.js';

/** The sign-in that the console looks at, or has looked at last. */
export interface ObservedSignIn {
  /** The endpoint. */
  readonly url: string;
  /** The page of the issuer, while a person has to sign in there. */
  readonly page?: string;
  /** Left out while it runs. */
  readonly diagnosis?: SignInDiagnosis;
  /** Why the doctor itself has failed. */
  readonly problem?: string;
}

/** The doctor signs in as a client would, and says which step fails. */
export interface SignInApi {
  /** `null`: nobody has begun one. */
  signIn(params: Record<string, never>): Awaitable<ObservedSignIn | null>;
  /** Begins a sign-in at an endpoint. One that runs is given up. */
  startSignIn(params: { readonly url: string }): Awaitable<ObservedSignIn>;
}
