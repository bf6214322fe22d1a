import type { JsonSchema } from '@toolwright/manifest';
import { HiddenText } from '../decorators/hidden-text.js';
import { MaxOutput } from '../decorators/max-output.js';
import type { ContentBlock, PromptResult, ResourceResult, ToolResult } from '../messages/content.js';
import { after } from '../pipeline/after.js';
import type { ActiveCall } from '../pipeline/active-call.js';
import { cleanTextOrJson, cleanValue, type Cleaner } from '../pipeline/clean-text.js';
import type { AnyDraft } from '../pipeline/draft.js';
import type { StepOrigin } from '../pipeline/step-description.js';
import { cleanerFor, type Environment } from '../pipeline/environment.js';
import type { PlannedStep, PlanStep } from '../pipeline/plan-step.js';
import { refuse } from '../pipeline/refuse.js';
import { UndeclaredOutputError } from '../pipeline/results/undeclared-output.js';
import { boundResult } from '../pipeline/results/bound-result.js';
import { readablePath } from '../pipeline/validation/describe-problems.js';
import { closeSchema } from '../schema/close-schema.js';
import { validatorFor, type Validator } from '../pipeline/validation/validator.js';
import { hide } from './map-errors.js';
import { outputLimitOf } from './output-limit.js';

/**
 * What leaves: validated, sanitised, bounded. It stands around user middleware, so that what that makes of a result is
 * held to the same.
 */
export const planOutputGuard: PlanStep = (draft, environment) => {
  if (draft.kind !== 'tool') return planGuardOfOthers(draft, environment);
  const { cleaner, origin: cleanedBy } = cleanerOf(draft, environment);
  const { outputSchema } = draft as { outputSchema?: JsonSchema };
  const { refusesUndeclared } = environment;
  const declared = outputSchema && refusesUndeclared ? closeSchema(outputSchema) : outputSchema;
  const validator = declared && validatorFor(declared, 'method');
  const { limit, origin } = outputLimitOf(draft, environment);
  return {
    name: 'output',
    origin: origin === 'default' ? cleanedBy : origin,
    detail: [
      validator && 'validated',
      cleaner && 'sanitised',
      limit !== undefined && `at most ${limit} bytes`,
    ]
      .filter(Boolean)
      .join(', '),
    step: (call, next) =>
      after(
        () => next() as ToolResult | Promise<ToolResult>,
        (result) => {
          const cleaned = cleaner ? clean(result, cleaner) : result;
          if (cleaned.isError) return withoutUnfit(cleaned, validator, refusesUndeclared);
          if (refusesUndeclared && !validator && cleaned.structuredContent !== undefined)
            return hide(new UndeclaredOutputError(), call, 'TW_INVALID_OUTPUT');
          const problem = validator && violation(cleaned.structuredContent, validator);
          if (problem) return hide(problem, call, 'TW_INVALID_OUTPUT');
          return limit === undefined ? cleaned : bound(cleaned, limit, { call, validator });
        },
      ),
  };
};

/**
 * A failure that comes with structured content, such as one of another server. What does not fit is left out and not
 * refused: the official clients throw on it, and the failure would be lost.
 */
function withoutUnfit(result: ToolResult, validator: Validator | undefined, isStrict: boolean): ToolResult {
  const { structuredContent, ...others } = result;
  if (structuredContent === undefined) return result;
  const isFit = validator ? !validator(structuredContent) : !isStrict;
  return isFit ? result : others;
}

type OtherResult = PromptResult | ResourceResult;

/**
 * Prompts and resources. What a prompt says is text, for a person and for a model; what a resource holds is a file's
 * content, often somebody else's, and is given as it is. Neither is cut: half a file is another file.
 */
function planGuardOfOthers(draft: AnyDraft, environment: Environment): PlannedStep {
  const { cleaner, origin: cleanedBy } = cleanerOf(draft, environment);
  const policy = MaxOutput.of(draft);
  const limit = policy?.options.bytes;
  const isCleaned = draft.kind === 'prompt' && cleaner !== undefined;
  return {
    name: 'output',
    origin: policy?.origin ?? (isCleaned ? cleanedBy : 'default'),
    detail: [isCleaned && 'sanitised', policy && `at most ${limit} bytes`].filter(Boolean).join(', '),
    step: (call, next) =>
      after(
        () => next() as OtherResult | Promise<OtherResult>,
        (result) => {
          const parts = partsOf(result, draft);
          if (limit !== undefined && Buffer.byteLength(JSON.stringify(parts)) > limit)
            return refuseTooLarge(call, limit);
          return isCleaned ? cleanPrompt(result as PromptResult, cleaner) : result;
        },
      ),
  };
}

/** @throws {Error} when middleware gave another kind of result */
function partsOf(result: OtherResult, { kind, name }: AnyDraft): readonly unknown[] {
  const member = kind === 'prompt' ? 'messages' : 'contents';
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

/** The tool's own word, or the server's. */
function cleanerOf(
  draft: AnyDraft,
  { cleaner }: Environment,
): { cleaner: Cleaner | undefined; origin: StepOrigin } {
  const policy = HiddenText.of(draft);
  return policy
    ? { cleaner: cleanerFor(policy.options), origin: policy.origin }
    : { cleaner, origin: 'default' };
}

/** Paths and expectations only: the values of a tool's result do not belong into logs. */
function violation(value: unknown, validator: Validator): Error | undefined {
  const problems = value === undefined ? undefined : validator(value);
  if (value !== undefined && !problems) return undefined;
  const places = (problems ?? []).slice(0, 10).map(({ pointer, expected }) => {
    return `${pointer ? readablePath(pointer) : 'the result'}: expected ${expected}`;
  });
  return new Error(`The result does not fit its output schema: ${places.join('; ') || 'there is none'}`);
}

/** Structured content is data, and leaves as it is. Most content needs nothing done, and is not copied. */
function clean(result: ToolResult, cleaner: Cleaner): ToolResult {
  const { content } = result;
  for (let index = 0; index < content.length; index++) {
    const block = content[index]!;
    if (cleanBlock(block, cleaner) !== block)
      return { ...result, content: content.map((each) => cleanBlock(each, cleaner)) };
  }
  return result;
}

/** What an embedded resource holds is data as well: somebody's file. */
function cleanBlock(block: ContentBlock, cleaner: Cleaner): ContentBlock {
  if (block.type === 'resource_link') return cleanValue(block, cleaner);
  if (block.type !== 'text') return block;
  const text = cleanTextOrJson(block.text, cleaner);
  return text === block.text ? block : { ...block, text };
}

function bound(
  result: ToolResult,
  limit: number,
  { call, validator }: { call: ActiveCall; validator?: Validator },
) {
  const bounded = boundResult(result, limit);
  const fits = bounded && (!validator || !validator(bounded.structuredContent));
  return fits ? bounded : refuseTooLarge(call, limit);
}

function refuseTooLarge(call: ActiveCall, limit: number): ToolResult {
  return refuse(call, {
    outcome: 'error',
    reason: 'TW_OUTPUT_TOO_LARGE',
    text: `The result of ${call.operation.name} is larger than ${limit} bytes and cannot be cut. Ask for less.`,
    rpcCode: 413,
  });
}
