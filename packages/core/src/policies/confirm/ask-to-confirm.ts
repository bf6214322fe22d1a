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

/** Matches question and answer; a name of ours, so that no `ctx.elicit` of the method meets it. */
const KEY = 'toolwright.confirm';

/** The argument that stands in for a question, where a tool opted in (`fallback: 'argument'`). */
export const CONFIRMED = 'confirmed';

/** Of a class it is meant for the tools that do something; beside a tool that only reads it is meant for that tool. */
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

/** Prompts and resources take no argument that could stand in for a question. */
function suited({ options, origin }: PolicyEntry<ConfirmPolicy>, draft: AnyDraft): ConfirmPolicy {
  if (draft.kind === 'tool' || options.fallback === 'refuse') return options;
  // Of a class it is meant for the tools.
  if (origin === 'class') return { ...options, fallback: 'refuse' };
  throw new ConfigurationError([
    {
      code: 'TW_POLICY_INVALID',
      message: `The ${draft.kind} "${draft.name}" has @Confirm with fallback: 'argument', and only tools can take one.`,
      fix: 'Remove the fallback: clients that cannot ask their user are refused then. Or remove @Confirm.',
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
 * The model is asked to ask; whether it does, nobody can know. Hence only where the tool opted in. Like any answer, the
 * argument counts for a question that this server asked this caller about this very call, and once.
 */
async function byArgument(call: ActiveCall, next: Next<unknown>, message: string): Promise<unknown> {
  const { claims, answerMs } = call.environment;
  const question = keyOfQuestion(call);
  if (call.given[CONFIRMED] === true && (await claims.release(question))) return confirmed(call, next);
  await claims.claim(question, answerMs);
  Object.assign(call.verdict, { outcome: 'denied', reason: 'TW_CONFIRMATION_REQUIRED' });
  // Prose: JSON here was taken by a client for the structured content of a result.
  const text = `Nothing was done yet (confirmation_required). Ask the user: ${message}\nOnly if they agree, call again with the same arguments and "confirmed": true.`;
  const { operation } = call;
  const hasOutput = operation.kind === 'tool' && operation.outputSchema !== undefined;
  return {
    content: [{ type: 'text', text }],
    // A result without error would owe structured content that fits the tool's schema.
    ...(hasOutput && { isError: true }),
  } satisfies ToolResult;
}

function keyOfQuestion({ operation, request, given }: ActiveCall): string {
  const { [CONFIRMED]: _, ...args } = given;
  const contract = operation.kind === 'tool' ? operation.contract : '';
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

/** What the question is about where the author gave no words. */
const verbs = { tool: 'Run', prompt: 'Use', resource: 'Read', resourceTemplate: 'Read' };

async function messageFor({ message }: ConfirmPolicy, call: ActiveCall, target: Target): Promise<string> {
  const { operation, arguments: args } = call;
  if (typeof message !== 'function')
    return message ?? `${verbs[operation.kind]} ${operation.title ?? operation.name}?`;
  // An instance for this call alone would be held while a person thinks: only where it is asked for.
  return message(args, message.length > 1 ? await instanceFor(call, target) : undefined);
}

/** True when the tool's input has the additional argument `confirmed`. */
export function takesConfirmed(draft: AnyDraft): boolean {
  return draft.kind === 'tool' && policyOf(draft)?.options.fallback === 'argument';
}

/** An input schema with the argument `confirmed`, as `tools/list` publishes it for tools that opted in. */
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
