import type { JsonSchema } from '@toolwright/manifest';
import type { McpPromptOptions } from '../../decorators/mcp-prompt.js';
import type { DecoratorRecord } from '../../base/metadata/store.js';
import type { PromptDraft } from '../../call/operation/draft.js';
import type { BoundMethod } from '../services/bound-service.js';
import { bindCompletions, type CompletionResolver } from './completions.js';
import { draftBase } from './draft-base.js';

/** Makes the prompt of a decorated method. The properties of its input are the prompt's arguments. */
export function draftPrompt(
  source: BoundMethod,
  record: DecoratorRecord<McpPromptOptions>,
  resolve: CompletionResolver,
): PromptDraft {
  return {
    kind: 'prompt',
    ...draftBase(source, record),
    annotations: {},
    inputSchema: source.input ?? {},
    arguments: promptArguments(source.input ?? {}),
    complete: bindCompletions(source, resolve),
  };
}

/** The arguments of a prompt, from its input schema. */
export function promptArguments({ properties = {}, required = [] }: JsonSchema): PromptDraft['arguments'] {
  return Object.entries(properties).map(([name, { title, description }]) => ({
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    required: required.includes(name),
  }));
}
