import { type OptionSchema, parseOptions } from '../../base/options/option-schema.js';
import { callback, either, flag, group, oauthScope, oneOf, text } from '../../base/options/rules.js';
import type { Principal } from '../../base/request-context.js';
import type { ApproverRule } from '../../call/approval.js';
import { definePolicy } from '../define-policy.js';

export interface ConfirmOptions {
  /**
   * The answer for clients that cannot ask their user. `'refuse'` (default): the call is refused.
   * `'argument'`: the tool gets one more argument, `confirmed: boolean`. A call without it does nothing. Its
   * answer tells the model, in prose with the word `confirmation_required`, to ask the user and to call
   * again. The argument is accepted only after such an answer to the same call, and only once.
   */
  fallback?: 'refuse' | 'argument';
  /**
   * Who confirms. `'client'` (default): the client says that its user accepted. `'page'`: a person signs in on a page of
   * the server and approves there, which no client can forge. It needs the package `@toolwright/identity`, and clients
   * that open pages (URL elicitation); all others are refused.
   */
  by?: 'client' | 'page';
  /** Who may approve on the page. Default: only the caller. */
  approver?: ApproverRule;
}

/** What the words of a confirmation may know of their call. */
export interface ConfirmContext {
  /** The caller; `undefined` for an anonymous one. */
  readonly principal: Principal | undefined;
  /** The tenant of the caller. */
  readonly tenant: string | undefined;
  /** Aborted when the caller cancels, and at the deadline. */
  readonly signal: AbortSignal;
}

/**
 * The question: a text, or a function that returns it. The function gets the arguments (validated and
 * revived), the instance on which the method will be called, and what is known of the call. It may look up what the
 * arguments mean. It may throw a `ToolError` when there is nothing to ask about; what else it throws is answered as an
 * error of the method is. It runs in each round of the call, and its time counts as the method's does.
 */
/* eslint-disable @typescript-eslint/no-explicit-any -- the author knows the types of the arguments and of the class */
export type ConfirmMessage =
  string | ((args: any, service: any, ctx: ConfirmContext) => string | Promise<string>);
/* eslint-enable @typescript-eslint/no-explicit-any */

const confirmOptions = {
  fallback: { ...oneOf('refuse', 'argument'), default: 'refuse' },
  by: { ...oneOf('client', 'page'), default: 'client' },
  approver: group({ scope: oauthScope, notCaller: flag } satisfies OptionSchema<ApproverRule>),
} satisfies OptionSchema<ConfirmOptions>;

/** Reports name the message as if it were an option. */
const confirmArguments = { message: either(text, callback) };

export interface ConfirmPolicy
  extends Required<Omit<ConfirmOptions, 'approver'>>, Pick<ConfirmOptions, 'approver'> {
  message: ConfirmMessage | undefined;
}

/**
 * Asks the person behind the client before the tool runs, or before the prompt or resource is returned. On a
 * class, it skips tools with `readOnlyHint: true`; on the method of such a tool, it asks. The client says
 * that the user accepted. This is not a proof that a human saw the question; `by: 'page'` is.
 *
 * @param message default: `Run <title>?` for a tool, `Use <title>?` for a prompt, `Read <title>?` for a resource
 * @example
 * @McpTool({ annotations: { destructiveHint: true } })
 * @Confirm(async ({ pageId }, { pages }: PageTools) => `Delete the page ${await pages.titleOf(pageId)}?`)
 * async deletePage(pageId: string) { … }
 */
export const Confirm = definePolicy('confirm', {
  parse: (message?: ConfirmMessage, options: ConfirmOptions = {}): ConfirmPolicy => ({
    ...parseOptions('@Confirm', confirmArguments, { message }),
    ...parseOptions('@Confirm', confirmOptions, options),
  }),
});
