import type { PromptResult } from '@toolwright/ground/base/content';
import type { DecoratorRecord } from '@toolwright/ground/base/metadata/store';
import type { OptionSchema } from '@toolwright/ground/base/options/option-schema';
import { flag, group, listOf, required, text } from '@toolwright/ground/base/options/rules';
import type { Environment } from '@toolwright/ground/call/environment';
import type { PromptDraft } from '@toolwright/ground/call/operation/draft';
import type { BoundPrompt, Complete } from '@toolwright/ground/call/operation/operation';
import { blockCloser } from '@toolwright/ground/call/results/content';
import { shapePromptResult } from '@toolwright/ground/call/results/shape-prompt-and-resource';
import type { JsonSchema } from '@toolwright/json';
import { describePrompt } from '@toolwright/wire/definitions';
import { mcpPromptOptions, type McpPromptOptions } from '../../decorators/mcp-prompt.js';
import { dataWriterOf, undeclaredRuleOf } from '../../policies/output/undeclared-output.js';
import { planChain, withCompletions } from '../../policies/plan-chain.js';
import { bindCompletions, type CompletionResolver } from './completions.js';
import {
  draftBase,
  type Handled,
  type KindRecord,
  complete,
  definitionBase,
  handled,
  name,
} from './kind-record.js';
import type { BoundMethod } from '../services/bound-service.js';

export interface PromptArgument {
  name: string;
  title?: string;
  description?: string;
  required?: boolean;
}

/** A prompt that is added at run time. */
export interface PromptDefinition extends McpPromptOptions, Handled {
  name: string;
  /** The arguments that clients may send. Any other argument is refused. Default: no arguments. */
  arguments?: readonly PromptArgument[];
  /** The completions, by argument. */
  complete?: Readonly<Record<string, Complete>>;
}

const promptArgumentOptions = {
  name: required(text),
  title: text,
  description: text,
  required: flag,
} satisfies OptionSchema<PromptArgument>;

export const promptKind: KindRecord<BoundPrompt, PromptDefinition, McpPromptOptions> = {
  options: mcpPromptOptions,
  definitionOptions: {
    ...mcpPromptOptions,
    ...handled,
    name,
    arguments: listOf('a list of arguments', group(promptArgumentOptions)),
    complete,
  } satisfies OptionSchema<PromptDefinition>,
  draft: draftPrompt,
  define: definePrompt,
  declare: (common, { input }) => definePrompt({ ...common, arguments: promptArguments(input) }),
  publish: describePrompt,
  plan: planPrompt,
};

/** Makes the prompt of a decorated method. The properties of its input are the prompt's arguments. */
function draftPrompt(
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
function promptArguments({ properties = {}, required = [] }: JsonSchema): PromptDraft['arguments'] {
  return Object.entries(properties).map(([name, { title, description }]) => ({
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    required: required.includes(name),
  }));
}

function definePrompt(definition: PromptDefinition): PromptDraft {
  const { arguments: declared = [], complete = {} } = definition;
  return {
    kind: 'prompt',
    ...definitionBase(definition),
    annotations: {},
    // They are texts only. An argument that is not declared is refused, as for tools.
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(declared.map(({ name }) => [name, { type: 'string' as const }])),
      additionalProperties: false,
    },
    arguments: declared.map((argument) => ({ ...argument, required: argument.required ?? false })),
    complete,
  };
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
