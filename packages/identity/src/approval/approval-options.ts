import type {} from '@toolwright/core/extend';
import { type Duration, type OptionSchema, optionRules } from '@toolwright/core/options';
import type { TokenChecker } from '../pages/sign-in.js';
import type { FetchDocument } from '../issuers/issuer-preset.js';
import { secureUrl } from '../pages/secure-url.js';

/** The page on which people approve calls. */
export interface ApprovalsOptions {
  /**
   * The URL of the page, as browsers reach it, such as `https://api.example.com/approvals`. `approvalPage(server)` serves it.
   * Register `<url>/callback` as the redirect URI of the client.
   */
  url: string;
  /** What `oauthResourceServer` made for the endpoint. It says who a person is, as it does for callers. */
  oauth: TokenChecker;
  /** The issuer that signs people in: an issuer that `oauth` trusts. It must speak OpenID Connect. */
  issuer: string;
  /** The client that the page is at the issuer. */
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
}

declare module '@toolwright/core/extend' {
  interface ExtraServerOptions {
    /** The page on which people approve calls (`@Confirm` with `by: 'page'`). */
    approvals?: ApprovalsOptions;
  }
}

const { callback, duration, either, filledText, group, listOf } = optionRules;
const { no, oauthScope, objectWith, required, secret } = optionRules;

export const approvalsOptions = {
  url: required(secureUrl),
  oauth: required(objectWith('what oauthResourceServer makes', 'authenticate')),
  issuer: required(secureUrl),
  clientId: required(filledText),
  clientSecret: secret(filledText),
  audience: either(filledText, no),
  scopes: listOf('a list of scopes', oauthScope),
  fetch: callback,
  lifetime: { ...duration, default: '10m' },
} satisfies OptionSchema<ApprovalsOptions>;

export const approvalsRule = { approvals: group(approvalsOptions) };
