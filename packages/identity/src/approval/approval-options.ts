import type { Principal } from '@toolwright/core';
import type { ApproverRule } from '@toolwright/core/extend';
import {
  type Duration,
  type OptionSchema,
  optionRules,
  type SignInPageOptions,
} from '@toolwright/core/options';
import type { TokenChecker } from '../pages/sign-in.js';
import { signInPageOptions } from '../pages/sign-in-options.js';

/** An approval that waits for people, as `notify` gets it. Sensitive values are hidden. */
export interface WaitingApproval {
  /** Where a person signs in and answers it. The address alone answers nothing, whoever opens it. */
  readonly url: string;
  /** Where each person finds all that waits for them. */
  readonly inbox: string;
  /** The question, as `@Confirm` words it. */
  readonly message: string;
  readonly operation: { readonly kind: string; readonly name: string; readonly title?: string };
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Whose call it is. */
  readonly caller: Omit<Principal, 'scopes'>;
  /** What the client calls itself. Nobody has checked it. */
  readonly client?: string;
  /** Who may approve it. */
  readonly approver: ApproverRule;
  /** Since when it waits, in milliseconds since the epoch. */
  readonly opened: number;
  /** Until when it can be answered, in milliseconds since the epoch. */
  readonly expires: number;
}

/** The page on which people approve calls. */
export interface ApprovalsOptions extends SignInPageOptions {
  /**
   * The URL of the page, as browsers reach it, such as `https://api.example.com/approvals`. `approvalPage(server)` serves it.
   * Register `<url>/callback` as the redirect URI of the client. At the URL itself, people find all that waits for them.
   */
  url: string;
  /** What `oauthResourceServer` made for the endpoint. It says who a person is, as it does for callers. */
  oauth: TokenChecker;
  /** The issuer that signs people in: an issuer that `oauth` trusts. It must speak OpenID Connect. */
  issuer: string;
  /** The client that the page is at the issuer. */
  clientId: string;
  /**
   * Notifies people that an approval waits, such as by e-mail or chat. It is called once for each question, when the question
   * opens. No call waits for it. If it throws, or takes more than 30 seconds, it is called again after 5 seconds and after a
   * minute; then the log says that nobody was notified.
   *
   * @param signal aborted after 30 seconds, and when the server closes
   */
  notify?: (waiting: WaitingApproval, signal: AbortSignal) => void | Promise<void>;
  /**
   * Lets people who have the scope of an approver name delegates, each for a number of days, and this long at the longest.
   * Default: nobody may. More than 0, and at least 1 day.
   */
  delegation?: Duration;
}

declare module '@toolwright/core/extend' {
  interface ExtraServerOptions {
    /** The page on which people approve calls (`@Confirm` with `by: 'page'`). */
    approvals?: ApprovalsOptions;
  }
  interface BackgroundNouns {
    /** Audit records of approvals: opened, answered, expired, and who may answer in place of whom. */
    approval: true;
  }
}

export const DAY_MS = 86_400_000;

export const approvalsOptions = {
  ...signInPageOptions,
  oauth: optionRules.required(optionRules.objectWith('what oauthResourceServer makes', 'authenticate')),
  notify: optionRules.callback,
  delegation: optionRules.durationThat(
    "a duration such as '14d', of a day or more, and 100 years at most",
    (ms) => ms >= DAY_MS && Number.isFinite(ms),
  ),
} satisfies OptionSchema<ApprovalsOptions>;

export const approvalsRule = { approvals: optionRules.group(approvalsOptions) };
