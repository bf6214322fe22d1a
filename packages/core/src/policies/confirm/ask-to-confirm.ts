import type { ToolResult } from '@toolwright/ground/base/content';
import { ConfigurationError } from '@toolwright/ground/base/errors/configuration-error';
import type { PolicyEntry } from '@toolwright/ground/base/metadata/store';
import { factsOf } from '@toolwright/ground/base/operation-kinds';
import type { ActiveCall, QuestionState } from '@toolwright/ground/call/active-call';
import type { ApproverRule } from '@toolwright/ground/call/approval';
import { instanceFor } from '@toolwright/ground/call/invoke';
import { type AnyDraft, type Target, locationOf } from '@toolwright/ground/call/operation/draft';
import { callerKey, claimOwnerOf } from '@toolwright/ground/call/operation/keys';
import { exactName } from '@toolwright/ground/call/operation/names';
import type { Next } from '@toolwright/ground/call/operation/operation';
import { refuse } from '@toolwright/ground/call/refuse';
import { copyData, type JsonSchema, keptText, showWords, digest } from '@toolwright/json';
import {
  Confirm,
  type ConfirmMessage,
  type ConfirmPolicy,
  type ConfirmWhen,
  planConfirmByPage,
} from './confirm.js';
import type { BuiltInGuard, PlanGuard } from '../guard.js';

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

const planConfirmation: PlanGuard = (draft, environment) => {
  const { options } = environment;
  const policy = policyOf(draft);
  const { readOnlyHint, destructiveHint } = draft.annotations;
  const forAll = options.confirmDestructive === true && destructiveHint === true && !readOnlyHint;
  if (!(policy || forAll)) return undefined;
  const effective = policy ? suited(policy, draft) : askTheClient;
  const { by, approver = {} } = effective;
  const confirmByPage = by === 'page' ? planConfirmByPage(draft, environment, approver) : undefined;
  return {
    origin: policy?.origin ?? 'annotations',
    detail: confirmByPage ? describeApprover(approver) : `clients that cannot ask: ${effective.fallback}`,
    ...(effective.when && { isConditional: true as const }),
    step: async (call, next) => {
      // The person has confirmed the call whose result goes on. The part is of that result, or is refused.
      if (call.page) return next();
      const { input } = call.request;
      if (effective.when && !(await isWanted(effective.when, call, draft.target))) return next();
      const message = showWords(await wordsOf(effective, call, draft.target), call.given);
      call.ensureWanted();
      if (confirmByPage) return confirmByPage(call, next, message);
      if (input.supports('elicitation/create', 'form')) return ask(call, next, message);
      // Nobody could have asked the user between two calls of one program.
      if (effective.fallback === 'argument' && !call.request.parent?.program)
        return byArgument(call, next, message);
      return refuse(call, {
        outcome: 'denied',
        reason: 'TW_CONFIRMATION_REQUIRED',
        text: `${draft.name} needs the user's confirmation, and this client has no way to ask for it (MCP elicitation). Nothing was done.`,
        rpcCode: 403,
      });
    },
  };
};

/** The options where the annotations alone want a confirmation. */
const askTheClient: ConfirmPolicy = { message: undefined, fallback: 'refuse', by: 'client' };

/** Whether the author wants this call to be confirmed is remembered under this key for its later rounds. */
const WANTED = 'toolwright.confirm.wanted';

function describeApprover({ scope, notCaller, count = 1 }: ApproverRule): string {
  const who = scope === undefined ? (notCaller ? 'anybody' : 'the caller') : `who has ${scope}`;
  const many = count > 1 ? `, ${count} different people` : '';
  return `on a page, by ${who}${notCaller ? ', but not the caller' : ''}${many}`;
}

/** Prompts and resources have no argument that could replace the question. */
function suited({ options, origin }: PolicyEntry<ConfirmPolicy>, draft: AnyDraft): ConfirmPolicy {
  const { by, fallback, approver } = options;
  const mistake =
    by === 'page' && fallback === 'argument'
      ? "by: 'page' and fallback: 'argument', but an argument proves nothing"
      : by !== 'page' && approver
        ? "an approver, but only a page can tell who approves (by: 'page')"
        : undefined;
  if (mistake) throw wrongOptions(draft, mistake, "Keep one of the two, or set by: 'page'.");
  if (approver && (approver.count ?? 1) > 1) {
    if (approver.notCaller === false)
      throw wrongOptions(
        draft,
        'an approver with count and notCaller: false, but the caller is never one of several who approve',
        'Remove notCaller.',
      );
    return { ...options, approver: { ...approver, notCaller: true } };
  }
  if (factsOf(draft).publishesSchemas || fallback === 'refuse') return options;
  // On a class, the fallback is meant for the tools.
  if (origin === 'class') return { ...options, fallback: 'refuse' };
  throw wrongOptions(
    draft,
    "fallback: 'argument', but this fallback works on tools only",
    'Remove the fallback; the server then refuses clients that cannot ask their user. Or remove @Confirm.',
  );
}

function wrongOptions(draft: AnyDraft, mistake: string, fix: string): ConfigurationError {
  return new ConfigurationError({
    code: 'TW_POLICY_INVALID',
    message: `The ${draft.kind} "${draft.name}" has @Confirm with ${mistake}.`,
    fix,
    ...locationOf(draft),
  });
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
 * very call, and only once. A call that brings it never opens a question: the next one would need no answer.
 */
async function byArgument(call: ActiveCall, next: Next<unknown>, message: string): Promise<unknown> {
  // The confirmation was used up when the call became a task.
  if (call.request.input.recall(KEY)) return next();
  const question = call.question!;
  if (question.state === 'answered') {
    question.state = 'done';
    return confirmed(call, next);
  }
  if (isAnswer(call)) return refuseAnswer(call, question.state);
  question.state = 'asked';
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

function refuseAnswer(call: ActiveCall, state: QuestionState): ToolResult {
  const why =
    state === 'unclear'
      ? 'The server cannot look up right now whether the user was asked. Try again later.'
      : 'No question about this very call is open: it was not asked yet, its confirmation was used already, or it is too old. Call again without "confirmed", and ask the user.';
  return refuse(call, {
    outcome: 'denied',
    reason: 'TW_CONFIRMATION_REQUIRED',
    text: `Nothing was done (confirmation_required). ${why}`,
    rpcCode: 403,
  });
}

function isAnswer({ given }: ActiveCall): boolean {
  return given[CONFIRMED] === true;
}

/**
 * This guard is outside of all others. So a question is used up as soon as the call with its answer arrives: a call
 * that was sent before the model could read the question never counts as an answer, however long it waits for a slot.
 * And a question opens when its text leaves the server, after all records are stored.
 */
const planQuestion: PlanGuard = (draft) => {
  if (!takesConfirmed(draft)) return undefined;
  return {
    origin: policyOf(draft)!.origin,
    step: async (call, next) => {
      const { input } = call.request;
      if (input.supports('elicitation/create', 'form') || input.recall(KEY)) return next();
      const question = (call.question = { state: isAnswer(call) ? await useUp(call) : 'none' });
      try {
        return await next();
      } finally {
        // A confirmation of a call that was refused before it counted is given back.
        if (question.state === 'asked' || question.state === 'answered') await open(call);
      }
    },
  };
};

async function useUp(call: ActiveCall): Promise<QuestionState> {
  try {
    return (await call.environment.claims.release(keyOfQuestion(call))) ? 'answered' : 'none';
  } catch (error) {
    complain(call, error);
    return 'unclear';
  }
}

async function open(call: ActiveCall): Promise<void> {
  const { claims, answerMs } = call.environment;
  try {
    await claims.claim(keyOfQuestion(call), answerMs, claimOwnerOf(call.request));
  } catch (error) {
    complain(call, error);
  }
}

function complain({ environment, operation }: ActiveCall, err: unknown): void {
  environment.logger.error(
    { err, operation: operation.name },
    'The claim store does not answer; nothing can be confirmed by an argument',
  );
}

function keyOfQuestion({ operation, request, given, environment }: ActiveCall): string {
  const { [CONFIRMED]: _, ...args } = given;
  const { contract = '' } = operation as { contract?: string | undefined };
  const caller = [callerKey(request, false), request.principal?.clientId ?? ''];
  return `confirmation:${digest([environment.server, caller, exactName(operation), contract, args])}`;
}

async function confirmed(call: ActiveCall, next: Next<unknown>): Promise<unknown> {
  const { input } = call.request;
  if (!input.recall(KEY)) {
    await call.trail?.record('confirmed');
    input.remember(KEY, true);
  }
  return next();
}

/** @throws {TypeError} when the function of the author says nothing: nobody can agree to that */
async function wordsOf({ message }: ConfirmPolicy, call: ActiveCall, target: Target): Promise<string> {
  const { operation } = call;
  if (typeof message !== 'function')
    return message ?? `${factsOf(operation).verb} ${operation.title ?? operation.name}?`;
  const words: unknown = await askAuthor(message, call, target);
  if (typeof words === 'string' && words.trim() !== '') return words;
  const got = typeof words === 'string' ? 'an empty text' : words === null ? 'null' : typeof words;
  throw new TypeError(`The function of @Confirm of "${operation.name}" returned ${got}, and no question.`);
}

/**
 * A call is asked about in all of its rounds or in none. Otherwise it could go on without the answer that an earlier round has
 * asked for, and a worker could have to ask, which has nobody to ask.
 */
async function isWanted(when: ConfirmWhen, call: ActiveCall, target: Target): Promise<boolean> {
  const { input } = call.request;
  const earlier = input.recall(WANTED);
  if (earlier) return earlier.value !== false;
  const wanted = (await askAuthor(when, call, target)) !== false;
  call.ensureWanted();
  input.remember(WANTED, wanted);
  // A confirmation that comes with a call that needs none is used up: it would be good for another call.
  if (!wanted && call.question) call.question.state = 'done';
  return wanted;
}

/**
 * Calls a function of the author. An instance for this call only would be held while a person thinks, so it is built only if
 * the function takes it.
 */
async function askAuthor(
  given: ConfirmWhen | Extract<ConfirmMessage, (...all: never[]) => unknown>,
  call: ActiveCall,
  target: Target,
): Promise<unknown> {
  call.isPreparing = true;
  const service = given.length > 1 ? await instanceFor(call, target) : undefined;
  const { principal } = call.request;
  const before = keptText(call.arguments);
  const answer: unknown = await given(copyData(call.arguments), service, {
    principal,
    tenant: principal?.tenant,
    get signal() {
      return call.signal;
    },
  });
  call.isPreparing = false;
  // The copy has instances of classes as they are. What people agree to is what runs.
  if (keptText(call.arguments) !== before)
    throw new TypeError(
      `A function of @Confirm of "${call.operation.name}" changed the arguments of its call.`,
    );
  return answer;
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

/** Keeps the questions that an argument answers. */
export const questionGuard: BuiltInGuard = {
  name: 'question',
  position: 5,
  summary: 'Opens the question that the argument `confirmed` answers, and uses it up.',
  plan: planQuestion,
};

/** Asks the person behind the client before the operation runs. */
export const confirmGuard: BuiltInGuard = {
  name: 'confirm',
  position: 110,
  summary: 'Asks the person behind the client.',
  decorators: { Confirm },
  plan: planConfirmation,
};
