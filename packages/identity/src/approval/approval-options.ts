import type {} from '@toolwright/core/extend';
import { type OptionSchema, optionRules, type SignInPageOptions } from '@toolwright/core/options';
import type { TokenChecker } from '../pages/sign-in.js';
import { signInPageOptions } from '../pages/sign-in-options.js';

/** The page on which people approve calls. */
export interface ApprovalsOptions extends SignInPageOptions {
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
}

declare module '@toolwright/core/extend' {
  interface ExtraServerOptions {
    /** The page on which people approve calls (`@Confirm` with `by: 'page'`). */
    approvals?: ApprovalsOptions;
  }
}

export const approvalsOptions = {
  ...signInPageOptions,
  oauth: optionRules.required(optionRules.objectWith('what oauthResourceServer makes', 'authenticate')),
} satisfies OptionSchema<ApprovalsOptions>;

export const approvalsRule = { approvals: optionRules.group(approvalsOptions) };
