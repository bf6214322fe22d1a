import type { PromptResult, ResourceResult } from '../base/content/content.js';
import type { Environment } from '../call/environment.js';
import type {
  AnyDraft,
  PromptDraft,
  ResourceDraft,
  ResourceTemplateDraft,
  ToolDraft,
} from '../call/operation/draft.js';
import type {
  BoundPrompt,
  BoundResource,
  BoundResourceTemplate,
  BoundTool,
} from '../call/operation/operation.js';
import { toolContract } from '../call/operation/tool-contract.js';
import { blockCloser } from '../call/results/close-blocks.js';
import { shapePromptResult } from '../call/results/shape-prompt-result.js';
import { shapeResourceResult } from '../call/results/shape-resource-result.js';
import { toolResultShaper, toolShape } from '../call/results/shape-tool-result.js';
import type { OutputWriter } from '../call/serialiser/output-node.js';
import { takesConfirmed, withConfirmed } from './confirm/ask-to-confirm.js';
import { outputWritersOf, undeclaredRuleOf } from './output/output-writers.js';
import { planChain } from './plan-chain.js';
import { planCompletions } from './plan-completions.js';

/**
 * Plans the chain of a tool, from its annotations and policies and the server's options.
 *
 * @returns the tool: middleware sees it as `call.operation`, and the registry stores it
 * @throws {ConfigurationError} when the options of a policy cannot be used
 */
export function planTool(draft: ToolDraft, environment: Environment): BoundTool {
  const { outputSchema } = draft;
  const writers = outputSchema && outputWritersOf(outputSchema, draft, environment);
  const { ofValues } = undeclaredRuleOf(draft, environment);
  const shape = toolShape(draft, writers?.value, ofValues);
  const effective = takesConfirmed(draft)
    ? { ...draft, contract: toolContract(draft), inputSchema: withConfirmed(draft.inputSchema) }
    : draft;
  return planChain(effective, environment, toolResultShaper(shape, ofValues));
}

/** Plans the chain of a prompt. @throws {ConfigurationError} */
export function planPrompt(draft: PromptDraft, environment: Environment): BoundPrompt {
  const { description } = draft;
  const write = dataWriterOf(draft, environment);
  const close = blockCloser(undeclaredRuleOf(draft, environment).ofValues);
  const prompt = planChain<PromptResult, BoundPrompt>(draft, environment, (value) =>
    shapePromptResult(value, { description, write, close }),
  );
  return withCompletions(prompt, draft, environment);
}

/** Plans the chain of a resource. @throws {ConfigurationError} */
export function planResource(draft: ResourceDraft, environment: Environment): BoundResource {
  const { uri, mimeType, ui } = draft;
  const returnsResult = draft.target.protocolResult === 'resource';
  const write = dataWriterOf(draft, environment);
  return planChain(draft, environment, (value, { request }) =>
    shapeResourceResult(value, {
      uri: request.uri ?? uri,
      mimeType,
      era: request.era,
      ui,
      returnsResult,
      write,
    }),
  );
}

/**
 * Plans the chain of a resource template. Its arguments are the variables of the URI. @throws
 * {ConfigurationError}
 */
export function planResourceTemplate(
  draft: ResourceTemplateDraft,
  environment: Environment,
): BoundResourceTemplate {
  const { uriTemplate, mimeType } = draft;
  const returnsResult = draft.target.protocolResult === 'resource';
  const write = dataWriterOf(draft, environment);
  const template = planChain<ResourceResult, BoundResourceTemplate>(
    draft,
    environment,
    (value, { request }) =>
      shapeResourceResult(value, {
        uri: request.uri ?? uriTemplate,
        mimeType,
        era: request.era,
        returnsResult,
        write,
      }),
  );
  return withCompletions(template, draft, environment);
}

/** Adds guards to the completions of its arguments. */
function withCompletions<O extends BoundPrompt | BoundResourceTemplate>(
  operation: O,
  draft: AnyDraft,
  environment: Environment,
): O {
  return Object.assign(operation, { complete: planCompletions(draft, operation, environment) });
}

/** Makes the writer for data that the method of a prompt or of a resource returns, if its type is known. */
function dataWriterOf(draft: AnyDraft, environment: Environment): OutputWriter | undefined {
  const { resultSchema } = draft.target;
  return resultSchema && outputWritersOf(resultSchema, draft, environment).value;
}
