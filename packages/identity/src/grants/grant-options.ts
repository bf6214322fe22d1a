import { type Duration, type OptionSchema, optionRules } from '@toolwright/core/options';
import type { FetchDocument } from '../issuers/issuer-preset.js';
import { secureUrl } from '../pages/secure-url.js';

/** The page on which people connect resources, for rules by `stored-grant`. */
export interface GrantsOptions {
  /**
   * The URL of the page, as browsers reach it, such as `https://api.example.com/connections`. `oauth.pages` serves it.
   * `<url>/callback` is the redirect URI of the client below, and `<url>/granted` that of the clients of the rules.
   */
  url: string;
  /** The issuer that signs callers in on the page: an issuer of `issuers`. It must speak OpenID Connect. */
  issuer: string;
  /** The client that the page is at that issuer. */
  clientId: string;
  /** Its secret. Without one, it is a public client; PKCE is used in any case. */
  clientSecret?: string;
  /** Is sent as `audience` in place of `resource`, for issuers such as Auth0. `false`: neither is sent, as Entra ID wants it. */
  audience?: string | false;
  /** Scopes that the page asks for besides `openid`. Entra ID gives a token for the resource only with one of its scopes. */
  scopes?: readonly string[];
  /** Sends the requests to the issuer, such as `fetchWithCa({ caFile })`. Default: the global `fetch`. */
  fetch?: FetchDocument;
  /** How long a question stays open. Default 10 minutes. More than 0. */
  lifetime?: Duration;
  /**
   * How long a grant is kept that nobody uses. Default 90 days. 0: until its token ends; `Infinity`: for
   * ever.
   */
  keep?: Duration;
}

const { anyDuration, callback, duration, either, filledText, listOf, no, oauthScope, required, secret } =
  optionRules;

export const grantsOptions = {
  url: required(secureUrl),
  issuer: required(secureUrl),
  clientId: required(filledText),
  clientSecret: secret(filledText),
  audience: either(filledText, no),
  scopes: listOf('a list of scopes', oauthScope),
  fetch: callback,
  lifetime: { ...duration, default: '10m' },
  keep: { ...anyDuration, default: '90d' },
} satisfies OptionSchema<GrantsOptions>;
