import type { Duration } from './options/option-schema.js';

/** Options of `ctx.tokenFor`. */
export interface TokenForOptions {
  /** The scopes that the tool needs. Default: all that the rule of the resource names. */
  readonly scopes?: readonly string[];
}

/** A page on which people sign in at an issuer: the client that it is there. */
export interface SignInPageOptions {
  /** Its secret. Without one, it is a public client; PKCE is used in any case. */
  clientSecret?: string;
  /** Is sent as `audience` in place of `resource`, for issuers such as Auth0. `false`: neither is sent, as Entra ID wants it. */
  audience?: string | false;
  /** Scopes that the page asks for besides `openid`. Entra ID gives a token for the resource only with one of its scopes. */
  scopes?: readonly string[];
  /** Sends the requests to the issuer, such as `fetchWithCa({ caFile })`. Default: the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** How long a question stays open. Default 10 minutes. More than 0. */
  lifetime?: Duration;
}

/** The page on which users sign in at the issuers of resources, for rules by `stored-grant`. */
export interface GrantsOptions extends SignInPageOptions {
  /**
   * The URL of the page, as browsers reach it, such as `https://api.example.com/connections`. `oauth.pages` serves it.
   * `<url>/callback` is the redirect URI of the client below, and `<url>/granted` that of the clients of the rules.
   */
  url: string;
  /** The issuer that signs callers in on the page: an issuer of `issuers`. It must speak OpenID Connect. */
  issuer: string;
  /** The client that the page is at that issuer. */
  clientId: string;
  /**
   * How long a grant is kept that nobody uses. Default 90 days. 0: until its token ends; `Infinity`: for
   * ever.
   */
  keep?: Duration;
}

/** How a server gets tokens for one resource. It needs the package `@toolwright/identity`. */
export interface ExchangeRule {
  /**
   * - `token-exchange`: the issuer exchanges the caller's token (RFC 8693)
   * - `on-behalf-of`: the same at Entra ID (`requested_token_use=on_behalf_of`)
   * - `client-credentials`: a token of the server itself, the same for all callers
   * - `stored-grant`: the user signs in once at the issuer of the resource, on a page (option `grants`)
   */
  by: 'token-exchange' | 'on-behalf-of' | 'client-credentials' | 'stored-grant';
  /** The issuer of the tokens. Its metadata names its endpoints. */
  issuer: string;
  /** The client that this server is for the issuer. */
  clientId: string;
  /** Without it, the client is a public one. */
  clientSecret?: string;
  /** How the client shows its secret. Default `post`. */
  clientAuth?: 'basic' | 'post';
  /** The scopes that tools may ask for. A tool that names none asks for all of them. Default: tools ask for what they like. */
  scopes?: readonly string[];
  /** Is sent as `audience`, in place of `resource`. For issuers that know no resource indicators (RFC 8707). */
  audience?: string;
  /** Further parameters which the issuer wants: of the request for a token, or of the sign-in by `stored-grant`. */
  parameters?: Readonly<Record<string, string>>;
  /** How long the issuer may take. Default 10 seconds. More than 0, at most a day. */
  timeout?: Duration;
  /** Sends the requests, such as with a CA of your own. Default: `fetch`. */
  fetch?: typeof fetch;
}
