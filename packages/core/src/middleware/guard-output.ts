import type { JsonSchema } from '@toolwright/manifest';
import { MaxOutput } from '../decorators/max-output.js';
import type { ContentBlock, ToolResult } from '../messages/content.js';
import { after } from '../pipeline/after.js';
import type { ActiveCall } from '../pipeline/active-call.js';
import { cleanValue, hasHidden } from '../pipeline/clean-text.js';
import type { AnyDraft } from '../pipeline/draft.js';
import type { StepOrigin } from '../pipeline/step-description.js';
import type { Environment } from '../pipeline/environment.js';
import type { PlannedStep, PlanStep } from '../pipeline/plan-step.js';
import { refuse } from '../pipeline/refuse.js';
import { boundResult } from '../pipeline/results/bound-result.js';
import { textOf } from '../pipeline/results/shape-tool-result.js';
import { readablePath } from '../pipeline/validation/describe-problems.js';
import { validatorFor, type Validator } from '../pipeline/validation/validator.js';
import { hide } from './map-errors.js';

/**
 * What leaves: validated, sanitised, bounded. It stands around user middleware, so that what that makes of a result is
 * held to the same.
 */
export const planOutputGuard: PlanStep = (draft, environment) => {
  if (draft.kind === 'prompt') return planPromptGuard(environment);
  // What a resource holds is a file's content, often somebody else's: to be given as it is.
  if (draft.kind !== 'tool') return undefined;
  const { outputSchema } = draft as { outputSchema?: JsonSchema };
  const validator = outputSchema && validatorFor(outputSchema, 'method');
  const { limit, origin } = limitOf(draft, environment);
  const { cleaner } = environment;
  return {
    name: 'output',
    origin,
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
          if (cleaned.isError) return cleaned;
          const problem = validator && violation(cleaned.structuredContent, validator);
          if (problem) return hide(problem, call, 'TW_INVALID_OUTPUT');
          return limit === undefined ? cleaned : bound(cleaned, limit, { call, validator });
        },
      ),
  };
};

function planPromptGuard({ cleaner }: Environment): PlannedStep | undefined {
  if (!cleaner) return undefined;
  return {
    name: 'output',
    origin: 'default',
    detail: 'sanitised',
    step: (_, next) => after(next, (result) => cleanValue(result, cleaner)),
  };
}

function limitOf(
  draft: AnyDraft,
  { options }: Environment,
): { limit: number | undefined; origin: StepOrigin } {
  const policy = MaxOutput.of(draft);
  if (policy) return { limit: policy.options.bytes, origin: policy.origin };
  return { limit: options.output?.maxBytes || undefined, origin: 'default' };
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

function clean(result: ToolResult, cleaner: (text: string) => string): ToolResult {
  const content = result.content.map((block) => cleanBlock(block, cleaner));
  const isChanged = content.some((block, index) => block !== result.content[index]);
  const { structuredContent } = result;
  if (structuredContent === undefined) return isChanged ? { ...result, content } : result;
  const cleaned = cleanValue(structuredContent, cleaner);
  if (cleaned === structuredContent) return isChanged ? { ...result, content } : result;
  return { ...result, structuredContent: cleaned, content: replaceText(result, content, cleaned) };
}

/** The text that repeats the structured content goes on repeating it. */
function replaceText(
  { content, structuredContent }: ToolResult,
  cleaned: ContentBlock[],
  value: unknown,
): ContentBlock[] {
  const original = textOf(structuredContent);
  return content.map((block, index) =>
    block.type === 'text' && block.text === original ? { ...block, text: textOf(value) } : cleaned[index]!,
  );
}

function cleanBlock(block: ContentBlock, cleaner: (text: string) => string): ContentBlock {
  if (block.type === 'text') return hasHidden(block.text) ? { ...block, text: cleaner(block.text) } : block;
  if (block.type === 'resource' || block.type === 'resource_link')
    return cleanValue(block, cleaner) as ContentBlock;
  return block;
}

function bound(
  result: ToolResult,
  limit: number,
  { call, validator }: { call: ActiveCall; validator?: Validator },
) {
  const bounded = boundResult(result, limit);
  const fits = bounded && (!validator || !validator(bounded.structuredContent));
  if (fits) return bounded;
  return refuse(call, {
    outcome: 'error',
    reason: 'TW_OUTPUT_TOO_LARGE',
    text: `The result of ${call.operation.name} is larger than ${limit} bytes and cannot be cut. Ask for less.`,
    rpcCode: 413,
  });
}
