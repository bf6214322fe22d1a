import type { Awaitable } from './overview-api.js';

/** One step of a sign-in, as the doctor of `@toolwright/identity` describes it. */
export interface ObservedStep {
  readonly step: string;
  readonly outcome: 'ok' | 'failed' | 'left out';
  /** In milliseconds since the epoch. */
  readonly at: number;
  readonly ms: number;
  /** What was found. */
  readonly notes: readonly string[];
  readonly exchanges: readonly {
    readonly method: string;
    readonly url: string;
    readonly status?: number | undefined;
  }[];
}

/** A sign-in, step by step. It has no token, no code and no secret. */
export interface SignInDiagnosis {
  readonly url: string;
  readonly steps: readonly ObservedStep[];
  readonly isSignedIn: boolean;
  /** The step that failed, who can repair it, and what to do. */
  readonly fault?: {
    readonly code: string;
    readonly step: string;
    readonly whose: string;
    readonly problem: string;
    readonly advice: string;
  };
}

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
