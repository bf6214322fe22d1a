// What `oauthResourceServer` of @toolwright/http takes. These types are written here once more, because this package works
// without the types of that one.

import type { Clock } from '@toolwright/core/ports';

/** The claims of a token. */
export type TokenClaims = Readonly<Record<string, unknown>>;

/** Fetches what an issuer publishes. */
export type FetchDocument = (url: string, init: RequestInit) => Promise<Response>;

/** What a token says about its caller. */
export interface TokenPrincipal {
  subject?: string;
  clientId?: string;
  scopes?: readonly string[];
}

/** For `introspection` of an item of the option `issuers` of `oauthResourceServer`. */
export interface TokenIntrospection {
  readonly isOwn?: (token: string) => boolean;
  /** Is called once for each issuer, when the server is set up. */
  open(issuer: IntrospectedIssuer, clock: Clock): (token: string) => Promise<TokenClaims | undefined>;
}

/** The issuer that is asked. */
export interface IntrospectedIssuer {
  readonly issuer: string;
  readonly fetch?: FetchDocument;
  readonly plainHttp?: boolean;
}

/** An item of the option `issuers` of `oauthResourceServer`. */
export interface IssuerPreset {
  issuer: string;
  jwksUri?: string;
  audience?: string | readonly string[];
  clientIds?: readonly string[];
  /** True for an `iss` that is trusted. Default: only `issuer` is. */
  isIssuer?: (iss: string, claims: TokenClaims) => boolean;
  /** True if a key may sign a token with these claims. Default: every key of the issuer may. */
  isKeyFor?: (key: TokenClaims, claims: TokenClaims) => boolean;
  /** The positive mark of an access token. */
  isAccessToken: (claims: TokenClaims) => boolean;
  /** Reads the caller. */
  principal: (claims: TokenClaims) => TokenPrincipal;
  /** Asks the issuer about tokens that are opaque to others: `tokenIntrospection`. */
  introspection?: TokenIntrospection;
  fetch?: FetchDocument;
  plainHttp?: boolean;
}
