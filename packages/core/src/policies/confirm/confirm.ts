import { ConfigurationError } from '@toolwright/ground/base/errors/configuration-error';
import {
  type OptionRule,
  type OptionSchema,
  parseOptions,
} from '@toolwright/ground/base/options/option-schema';
import {
  callback,
  either,
  flag,
  group,
  oauthScope,
  oneOf,
  positiveCount,
  text,
} from '@toolwright/ground/base/options/rules';
import type { Principal } from '@toolwright/ground/base/request-context';
import type { ActiveCall } from '@toolwright/ground/call/active-call';
import type { ApproverRule, AskForApproval } from '@toolwright/ground/call/approval';
import type { Environment } from '@toolwright/ground/call/environment';
import { partsOf, secretsOf } from '@toolwright/ground/call/hide-sensitive';
import { type AnyDraft, locationOf } from '@toolwright/ground/call/operation/draft';
import { callerKey } from '@toolwright/ground/call/operation/keys';
import { exactKey } from '@toolwright/ground/call/operation/names';
import type { Next } from '@toolwright/ground/call/operation/operation';
import { refuse } from '@toolwright/ground/call/refuse';
import { auditPrincipal } from '@toolwright/ground/call/security/watched-audit-sink';
import { definePolicy } from '../define-policy.js';
import { cleanValue, copyData, scrub, showHidden, digest } from '@toolwright/json';

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
  /**
   * Which calls have to be confirmed, such as `({ cents }) => cents > 50_000`. Default: all. It gets what the function of the
   * message gets. Only `false` lets a call through: for any other value the person is asked, and what it throws ends the
   * call as an error of the method does. It is asked once for each call, however many rounds the call has.
   */
  when?: ConfirmWhen;
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

/** Says whether a call has to be confirmed. */
export type ConfirmWhen = (args: any, service: any, ctx: ConfirmContext) => boolean | Promise<boolean>;
/* eslint-enable @typescript-eslint/no-explicit-any */

const MOST_APPROVERS = 20;

const approverCount: OptionRule = {
  expected: `an integer from 1 to ${MOST_APPROVERS}`,
  accepts: (value) => positiveCount.accepts(value) && (value as number) <= MOST_APPROVERS,
};

const confirmOptions = {
  fallback: { ...oneOf('refuse', 'argument'), default: 'refuse' },
  by: { ...oneOf('client', 'page'), default: 'client' },
  approver: group({
    scope: oauthScope,
    notCaller: flag,
    count: approverCount,
  } satisfies OptionSchema<ApproverRule>),
  when: callback,
} satisfies OptionSchema<ConfirmOptions>;

/** Reports name the message as if it were an option. */
const confirmArguments = { message: either(text, callback) };

export interface ConfirmPolicy
  extends Required<Omit<ConfirmOptions, 'approver' | 'when'>>, Pick<ConfirmOptions, 'approver' | 'when'> {
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

/** The approval of a call is remembered under this key for its later rounds. */
const APPROVED = 'toolwright.approved';

/** Has a person approve a call before the method runs. */
export type ConfirmByPage = (call: ActiveCall, next: Next<unknown>, message: string) => Promise<unknown>;

/**
 * Plans the confirmation of an operation that only a person on a page of the server can give. The page is in a package.
 *
 * @throws {ConfigurationError} when the server has no such page
 */
export function planConfirmByPage(
  draft: AnyDraft,
  { approvals }: Environment,
  approver: ApproverRule,
): ConfirmByPage {
  const { ask } = approvals;
  if (!ask) throw missingPage(draft);
  return async (call, next, message) => {
    const { input, principal } = call.request;
    if (input.recall(APPROVED)) return next();
    const answer = await ask(describe(call, { approver, message }));
    if ('approvedBy' in answer) {
      const sink = call.environment.audit;
      for (const by of answer.approvedBy)
        await call.trail?.record('confirmed', undefined, (sink && auditPrincipal(by, sink)) ?? undefined);
      input.remember(APPROVED, {
        by: answer.approvedBy.map(({ subject }) => subject),
        of: principal?.subject,
      });
      return next();
    }
    const isUnsupported = answer.refused === 'unsupported';
    return refuse(call, {
      outcome: 'denied',
      reason: isUnsupported ? 'TW_CONFIRMATION_REQUIRED' : 'TW_NOT_CONFIRMED',
      text: answer.text,
      rpcCode: 403,
    });
  };
}

function describe(
  call: ActiveCall,
  { approver, message }: { approver: ApproverRule; message: string },
): Parameters<AskForApproval>[0] {
  const { operation, request, given, environment } = call;
  const { contract = '' } = operation as { contract?: string | undefined };
  const caller = [callerKey(request, false), request.principal?.clientId ?? ''];
  const parts = partsOf(operation);
  return {
    call,
    message: scrub(message, secretsOf(call)),
    // A person must see what the arguments are, so invisible characters are shown whatever the server does with output.
    shown: cleanValue(parts ? parts.hide(given) : copyData(given), showHidden) as Readonly<
      Record<string, unknown>
    >,
    binding: digest([environment.server, exactKey(operation), contract, caller, given]),
    approver,
    wait: (run) => call.whileAway(run),
  };
}

function missingPage(draft: AnyDraft): ConfigurationError {
  return new ConfigurationError({
    code: 'TW_PACKAGE_MISSING',
    message: `The ${draft.kind} "${draft.name}" has @Confirm with by: 'page', and this server has no such page. It comes from the package @toolwright/identity.`,
    fix: 'Run `npm install @toolwright/identity`, and set the option "approvals" of createMcpServer.',
    lacks: 'the option "approvals"',
    ...locationOf(draft),
  });
}
