import type { ContentBlock, PromptResult, ResourceResult, ToolResult } from '@toolwright/ground/base/content';
import { isProtocolError } from '@toolwright/ground/base/errors/errors';
import { factsOf, kindNames, operationKinds } from '@toolwright/ground/base/operation-kinds';
import type { ActiveCall } from '@toolwright/ground/call/active-call';
import { cleanerFor, type Environment } from '@toolwright/ground/call/environment';
import type { AnyDraft, ToolDraft } from '@toolwright/ground/call/operation/draft';
import type { StepOrigin } from '@toolwright/ground/call/operation/operation';
import { refuse, textOfDone } from '@toolwright/ground/call/refuse';
import { UndeclaredOutputError } from '@toolwright/ground/call/results/protocol-result';
import { WrittenResult, wholeText } from '@toolwright/ground/call/results/shape-tool-result';
import { definePolicy, type Policy, oneWord } from '../define-policy.js';
import { type Continuation, continuationOf, refuseCursor, withRest } from './continue-output.js';
import { MOST_BYTES } from './kept-results.js';
import { MaxOutput, cutResult, outputLimitOf } from './max-output.js';
import {
  type Cleaner,
  InvalidOutputError,
  asJson,
  cleanTextOrJson,
  cleanValue,
  writeJson,
  type MaybePromise,
  after,
} from '@toolwright/json';
import type { BuiltInGuard, PlanGuard, BuiltInStep } from '../guard.js';
import { UndeclaredOutput, outputWritersOf, undeclaredRuleOf } from './undeclared-output.js';
import { hide } from '../errors.js';

/** What happens to hidden characters: they are written as `\u{…}`, left out, or kept. */
export type HiddenTextMode = 'escape' | 'drop' | 'keep';

/**
 * Sets what happens to hidden characters in the text of one tool or prompt: terminal escapes, tag characters
 * that are not part of a flag, and changes of text direction that are never closed. Without it, the server's
 * option `output.hidden` applies. Structured content and the contents of resources are never changed.
 *
 * @example
 * @McpTool({ annotations: { readOnlyHint: true } })
 * @HiddenText('keep') readLog(name: string): string { … }
 */
export const HiddenText: Policy<[mode: HiddenTextMode], HiddenTextMode> = definePolicy('hiddenText', {
  appliesTo: kindNames.filter((kind) => operationKinds[kind].isCleaned),
  parse: oneWord<HiddenTextMode>('escape', 'drop', 'keep'),
});

const planOutputGuard: PlanGuard = (draft, environment) => {
  if (draft.kind !== 'tool') return planGuardOfOthers(draft, environment);
  const { cleaner, origin: cleanedBy } = cleanerOf(draft, environment);
  const { limit, origin } = outputLimitOf(draft, environment);
  const { ofValues, origin: saidBy } = undeclaredRuleOf(draft, environment);
  const check = planCheck(draft, environment);
  const continuation = continuationOf(draft, environment);
  if (continuation) continuation.check = check;
  const origins = [origin, saidBy, cleanedBy];
  return {
    origin: origins.find((each) => each !== 'default') ?? 'default',
    detail: [
      draft.outputSchema && `validated, ${undeclaredWords[ofValues]}`,
      cleaner && 'sanitised',
      limit !== undefined && `at most ${limit} bytes`,
    ]
      .filter(Boolean)
      .join(', '),
    step: (call, next) =>
      after(
        () => next() as ToolResult | Promise<ToolResult>,
        (result) => {
          try {
            if (result.isError) {
              const failed = cleaner ? clean(result, cleaner) : result;
              makeSendable(failed);
              return withoutUnfit(failed, call, check);
            }
            const checked = check(result, call);
            const cleaned = cleaner ? clean(checked, cleaner) : checked;
            makeSendable(cleaned);
            // Budgets are for models, and a package reads the result of a call that it has made.
            return limit === undefined || call.request.parent
              ? cleaned
              : bound(cleaned, limit, { call, check, continuation });
          } catch (error) {
            return answerFailure(error, call);
          }
        },
        (error) => answerFailure(error, call),
      ),
  };
};

/**
 * A failure that has structured content, such as one from another server. Data that does not fit the schema
 * is left out and not refused: the official clients throw on it, and the failure would be lost.
 */
function withoutUnfit(result: ToolResult, call: ActiveCall, check: Check): ToolResult {
  const { structuredContent, ...others } = result;
  if (structuredContent === undefined) return result;
  try {
    return { ...others, structuredContent: check({ ...others, structuredContent }, call).structuredContent };
  } catch {
    return others;
  }
}

/**
 * Answers any other failure after the method of a tool that is not read-only. The tool has done its work, so the
 * answer must not say that the call failed, and no queue may run it again. Errors that are meant for the caller stay
 * as they are.
 */
function answerFailure(error: unknown, call: ActiveCall): ToolResult {
  if (error instanceof InvalidOutputError || error instanceof UndeclaredOutputError)
    return hide(error, call, 'TW_INVALID_OUTPUT');
  const isMeant = isProtocolError(error) || call.environment.readError(error) !== undefined;
  if (isMeant || call.pending || call.isGivenUp || !call.isDone) throw error;
  return hide(error, call);
}

/**
 * Structured content is written already, and text is text. What is beside them becomes JSON as in results.
 *
 * @throws {NotJsonError} for data that JSON cannot carry
 */
function makeSendable(result: ToolResult): void {
  const { content, _meta } = result;
  const meta = _meta && asJson(_meta);
  if (meta !== _meta) result._meta = meta!;
  if (content.some(isUnsendable))
    result.content = content.map((block) => (isUnsendable(block) ? asJson(block) : block));
}

/** Bytes are not looked at: most of a long result is bytes. */
function isUnsendable(block: ContentBlock): boolean {
  const { _meta, annotations } = block;
  const inner = block.type === 'resource' ? block.resource._meta : undefined;
  if (_meta === undefined && annotations === undefined && inner === undefined) return false;
  try {
    JSON.stringify([_meta, annotations, inner]);
    return false;
  } catch {
    return true;
  }
}

const undeclaredWords = {
  drop: 'what is not declared is left out',
  keep: 'what is not declared is kept',
  refuse: 'what is not declared is refused',
} as const;

/** @throws {InvalidOutputError | UndeclaredOutputError} */
type Check = (result: ToolResult, call: ActiveCall) => ToolResult;

/** Writes structured content that was not written yet, or that may have changed since. */
function planCheck(draft: ToolDraft, environment: Environment): Check {
  const { outputSchema } = draft;
  if (!outputSchema) {
    const isRefused = undeclaredRuleOf(draft, environment).ofResults === 'refuse';
    return (result) => {
      if (isRefused && result.structuredContent !== undefined) throw new UndeclaredOutputError();
      return result;
    };
  }
  const writers = outputWritersOf(outputSchema, draft, environment);
  return (result, call) => {
    if (WrittenResult.of(result)) return result;
    const { structuredContent } = result;
    if (structuredContent === undefined) throw new InvalidOutputError([]);
    const write = call.gaveResult ? writers.result : writers.value;
    return new WrittenResult(result, write(structuredContent));
  };
}

type OtherResult = PromptResult | ResourceResult;

/**
 * Guards prompts and resources. A prompt is text for a person and for a model, so it is cleaned. A resource is the
 * content of a file, so it is not changed. Neither is cut, because half a file is another file.
 */
function planGuardOfOthers(draft: AnyDraft, environment: Environment): BuiltInStep {
  const { cleaner, origin: cleanedBy } = cleanerOf(draft, environment);
  const policy = MaxOutput.of(draft);
  const limit = policy?.options.bytes;
  const isCleaned = factsOf(draft).isCleaned && cleaner !== undefined;
  return {
    origin: policy?.origin ?? (isCleaned ? cleanedBy : 'default'),
    detail: [isCleaned && 'sanitised', policy && `at most ${limit} bytes`].filter(Boolean).join(', '),
    step: (call, next) =>
      after(
        () => next() as OtherResult | Promise<OtherResult>,
        (result) => {
          const parts = partsOf(result, draft);
          if (limit !== undefined && Buffer.byteLength(writeJson(parts)) > limit)
            return refuseTooLarge(call, limit);
          return isCleaned ? cleanPrompt(result as PromptResult, cleaner) : result;
        },
      ),
  };
}

/** @throws {Error} when middleware returned another kind of result */
function partsOf(result: OtherResult, { kind, name }: AnyDraft): readonly unknown[] {
  const member = operationKinds[kind].answer;
  const parts = (result as unknown as Record<string, unknown> | undefined)?.[member];
  if (Array.isArray(parts)) return parts;
  throw new Error(`Middleware answered for the ${kind} "${name}" with a result that has no "${member}".`);
}

function cleanPrompt({ messages, ...others }: PromptResult, cleaner: Cleaner): PromptResult {
  return {
    ...cleanValue(others, cleaner),
    messages: messages.map((message) => ({ ...message, content: cleanBlock(message.content, cleaner) })),
  };
}

/** The policy of the tool decides, or else the server's option. */
function cleanerOf(
  draft: AnyDraft,
  { cleaner }: Environment,
): { cleaner: Cleaner | undefined; origin: StepOrigin } {
  const policy = HiddenText.of(draft);
  return policy
    ? { cleaner: cleanerFor(policy.options), origin: policy.origin }
    : { cleaner, origin: 'default' };
}

/**
 * Cleans the text of a result. Structured content is data and stays as it is. Content that needs no cleaning
 * is not copied.
 */
function clean(result: ToolResult, cleaner: Cleaner): ToolResult {
  const written = WrittenResult.of(result);
  // Its strings were already checked when it was written.
  if (written && !written.isDoubtful && wholeText(result) !== undefined) return result;
  const { content } = result;
  for (let index = 0; index < content.length; index++) {
    const block = content[index]!;
    if (cleanBlock(block, cleaner) === block) continue;
    const cleaned = content.map((each) => cleanBlock(each, cleaner));
    return written
      ? new WrittenResult({ _meta: result._meta, content: cleaned }, written)
      : { ...result, content: cleaned };
  }
  return result;
}

/** The content of an embedded resource is not cleaned, because it is the content of a file. */
function cleanBlock(block: ContentBlock, cleaner: Cleaner): ContentBlock {
  if (block.type === 'resource_link') return cleanValue(block, cleaner);
  if (block.type !== 'text') return block;
  const text = cleanTextOrJson(block.text, cleaner);
  return text === block.text ? block : { ...block, text };
}

/** @param by without `continuation`, what is left out is lost */
function bound(
  result: ToolResult,
  limit: number,
  by: { call: ActiveCall; check: Check; continuation: Continuation | undefined },
): MaybePromise<ToolResult> {
  const { call, check, continuation } = by;
  const { page } = call;
  if (page && !continuation?.isOf(result, page)) return refuseCursor(call, 'stale');
  const room = page?.isWhole ? MOST_BYTES : limit;
  const cut = cutResult(result, room, page);
  if (cut?.result === result) return result;
  try {
    if (!cut || (page?.isWhole && cut.dropped.length > 0)) return refuseTooLarge(call, room);
    const { dropped, next } = cut;
    const checked = check(cut.result, call);
    if (dropped.length === 0) return checked;
    if (!next || !continuation) return withRest(call, checked, { dropped });
    return after(
      () => continuation.after(call, result, next),
      (onward) => withRest(call, checked, { dropped, onward }),
    );
  } catch {
    // The part that is left does not fit its schema.
    return refuseTooLarge(call, limit);
  }
}

function refuseTooLarge(call: ActiveCall, limit: number): ToolResult {
  return refuse(call, {
    outcome: 'error',
    reason: 'TW_OUTPUT_TOO_LARGE',
    text: call.isDone
      ? textOfDone(call.operation, `it is larger than ${limit} bytes and cannot be cut`)
      : `The result of ${call.operation.name} is larger than ${limit} bytes and cannot be cut. Ask for less.`,
    rpcCode: 413,
  });
}

/**
 * Validates, cleans and limits results. It is outside of the authors' middleware, so it also checks results that
 * middleware has changed.
 */
export const outputGuard: BuiltInGuard = {
  name: 'output',
  position: 140,
  summary: 'Checks, cleans and bounds what leaves.',
  decorators: { HiddenText, MaxOutput, UndeclaredOutput },
  plan: planOutputGuard,
};
