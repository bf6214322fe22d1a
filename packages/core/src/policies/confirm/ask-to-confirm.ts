import { factsOf } from '../../base/operation-kinds.js';
import type { JsonSchema } from '@toolwright/manifest';
import { Confirm, type ConfirmPolicy } from './confirm.js';
import { ConfigurationError } from '../../base/errors/configuration-error.js';
import type { PolicyEntry } from '../../base/metadata/policy.js';
import type { ToolResult } from '../../base/content/content.js';
import type { ActiveCall } from '../../call/active-call.js';
import { callerKey } from '../../call/limits/caller-key.js';
import type { Next } from '../../call/operation/operation.js';
import { locationOf, type AnyDraft } from '../../call/operation/draft.js';
import { instanceFor } from '../../call/invoke.js';
import type { Guard, PlanGuard } from '../guard.js';
import { refuse } from '../../call/refuse.js';
import type { Target } from '../../call/operation/target.js';
import { digest } from '../../base/digest.js';

/** Links question and answer. The prefix is ours, so no `ctx.elicit` of the method uses the same key. */
const KEY = 'toolwright.confirm';

/** The argument that replaces the question, if a tool allows it (`fallback: 'argument'`). */
export const CONFIRMED = 'confirmed';

/**
 * On a class, the policy is meant for the tools that change something. On a tool that only reads, it is meant
 * for that tool.
 */
function policyOf(draft: AnyDraft): PolicyEntry<ConfirmPolicy> | undefined {
  const policy = Confirm.of(draft);
  return policy?.origin === 'class' && draft.annotations.readOnlyHint ? undefined : policy;
}

const planConfirmation: PlanGuard = (draft, { options }) => {
  const policy = policyOf(draft);
  const { readOnlyHint, destructiveHint } = draft.annotations;
  const forAll = options.confirmDestructive === true && destructiveHint === true && !readOnlyHint;
  if (!(policy || forAll)) return undefined;
  const effective = policy ? suited(policy, draft) : { message: undefined, fallback: 'refuse' as const };
  return {
    origin: policy?.origin ?? 'annotations',
    detail: `clients that cannot ask: ${effective.fallback}`,
    step: async (call, next) => {
      const { input } = call.request;
      const message = call.environment.cleanText(await messageFor(effective, call, draft.target));
      call.ensureWanted();
      if (input.supports('elicitation/create', 'form')) return ask(call, next, message);
      if (effective.fallback === 'argument') return byArgument(call, next, message);
      return refuse(call, {
        outcome: 'denied',
        reason: 'TW_CONFIRMATION_REQUIRED',
        text: `${draft.name} needs the user's confirmation, and this client has no way to ask for it (MCP elicitation). Nothing was done.`,
        rpcCode: 403,
      });
    },
  };
};

/** Prompts and resources have no argument that could replace the question. */
function suited({ options, origin }: PolicyEntry<ConfirmPolicy>, draft: AnyDraft): ConfirmPolicy {
  if (factsOf(draft).publishesSchemas || options.fallback === 'refuse') return options;
  // On a class, the fallback is meant for the tools.
  if (origin === 'class') return { ...options, fallback: 'refuse' };
  throw new ConfigurationError([
    {
      code: 'TW_POLICY_INVALID',
      message: `The ${draft.kind} "${draft.name}" has @Confirm with fallback: 'argument', but this fallback works on tools only.`,
      fix: 'Remove the fallback; the server then refuses clients that cannot ask their user. Or remove @Confirm.',
      ...locationOf(draft),
    },
  ]);
}

async function ask(call: ActiveCall, next: Next<unknown>, message: string): Promise<unknown> {
  const answer = await call.context.elicit<{ confirm: boolean }>(KEY, { message, schema: question });
  if (answer.action === 'accept' && answer.content?.confirm === true) return confirmed(call, next);
  return refuse(call, {
    outcome: 'denied',
    reason: 'TW_NOT_CONFIRMED',
    text: 'The user did not confirm, so nothing was done. Do not try again unless they ask for it.',
    rpcCode: 403,
  });
}

const question = {
  type: 'object',
  properties: { confirm: { type: 'boolean', title: 'Confirm', description: 'Yes, do it.' } },
  required: ['confirm'],
};

/**
 * The model is asked to ask its user. Nobody can know whether it does, so this works only if the tool allows
 * it. Like any answer, the argument counts only for a question that this server asked this caller about this
 * very call, and only once.
 */
async function byArgument(call: ActiveCall, next: Next<unknown>, message: string): Promise<unknown> {
  const { claims, answerMs } = call.environment;
  const question = keyOfQuestion(call);
  // The confirmation was used up when the call became a task.
  if (call.request.input.recall(KEY)) return next();
  if (call.given[CONFIRMED] === true && (await claims.release(question))) return confirmed(call, next);
  await claims.claim(question, answerMs);
  Object.assign(call.verdict, { outcome: 'denied', reason: 'TW_CONFIRMATION_REQUIRED' });
  // This is prose because a client took JSON here for the structured content of a result.
  const text = `Nothing was done yet (confirmation_required). Ask the user: ${message}\nOnly if they agree, call again with the same arguments and "confirmed": true.`;
  const { operation } = call;
  const hasOutput = 'outputSchema' in operation && operation.outputSchema !== undefined;
  return {
    content: [{ type: 'text', text }],
    // Without an error, the result would need structured content that fits the tool's schema.
    ...(hasOutput && { isError: true }),
  } satisfies ToolResult;
}

function keyOfQuestion({ operation, request, given }: ActiveCall): string {
  const { [CONFIRMED]: _, ...args } = given;
  const { contract = '' } = operation as { contract?: string | undefined };
  const caller = [callerKey(request, false), request.principal?.clientId ?? ''];
  return `confirmation:${digest([caller, operation.name, contract, args])}`;
}

async function confirmed(call: ActiveCall, next: Next<unknown>): Promise<unknown> {
  const { input } = call.request;
  if (!input.recall(KEY)) {
    await call.trail?.record('confirmed');
    input.remember(KEY, true);
  }
  return next();
}

async function messageFor({ message }: ConfirmPolicy, call: ActiveCall, target: Target): Promise<string> {
  const { operation, arguments: args } = call;
  if (typeof message !== 'function')
    return message ?? `${factsOf(operation).verb} ${operation.title ?? operation.name}?`;
  // An instance for this call only would be held while a person thinks, so it is built only if the function
  // needs it.
  return message(args, message.length > 1 ? await instanceFor(call, target) : undefined);
}

/** True when the tool's input has the additional argument `confirmed`. */
export function takesConfirmed(draft: AnyDraft): boolean {
  return factsOf(draft).publishesSchemas && policyOf(draft)?.options.fallback === 'argument';
}

/** The input schema with the argument `confirmed`, as `tools/list` publishes it for tools that allow it. */
export function withConfirmed(schema: JsonSchema): JsonSchema {
  const description = 'Set to true only after the user has agreed to this very call.';
  return { ...schema, properties: { ...schema.properties, [CONFIRMED]: { type: 'boolean', description } } };
}

/** Asks the person behind the client before the operation runs. */
export const confirmGuard: Guard = {
  name: 'confirm',
  position: 110,
  summary: 'Asks the person behind the client.',
  decorators: { Confirm },
  plan: planConfirmation,
};
