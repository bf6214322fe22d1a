import { cleanText, cleanValue, scrub } from '@toolwright/json';
import { ConfigurationError } from '../../base/errors/configuration-error.js';
import { digest } from '../../base/seal.js';
import type { ActiveCall } from '../../call/active-call.js';
import type { ApproverRule, AskForApproval } from '../../call/approval.js';
import type { Environment } from '../../call/environment.js';
import { partsOf, secretsOf } from '../../call/hide-sensitive.js';
import { type AnyDraft, locationOf } from '../../call/operation/draft.js';
import { callerKey } from '../../call/operation/keys.js';
import type { Next } from '../../call/operation/operation.js';
import { exactKey } from '../../call/operation/versions.js';
import { refuse } from '../../call/refuse.js';
import { auditPrincipal } from '../../call/security/watched-audit-sink.js';

const showHidden = (text: string) => cleanText(text, 'escape');

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
      const by = answer.approvedBy;
      const sink = call.environment.audit;
      await call.trail?.record('confirmed', undefined, (sink && auditPrincipal(by, sink)) ?? undefined);
      input.remember(APPROVED, { by: by.subject, of: principal?.subject });
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
    shown: cleanValue(parts ? parts.hide(given) : given, showHidden) as Readonly<Record<string, unknown>>,
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
