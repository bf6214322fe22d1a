import type { ResourceResult } from '@toolwright/ground/base/content';
import type { DecoratorRecord } from '@toolwright/ground/base/metadata/store';
import type { OptionSchema } from '@toolwright/ground/base/options/option-schema';
import type { Environment } from '@toolwright/ground/call/environment';
import type { ResourceTemplateDraft } from '@toolwright/ground/call/operation/draft';
import type { BoundResourceTemplate, Complete } from '@toolwright/ground/call/operation/operation';
import type { JsonSchema } from '@toolwright/json';
import { describeResourceTemplate } from '@toolwright/wire/definitions';
import {
  mcpResourceTemplateOptions,
  type McpResourceTemplateOptions,
} from '../../decorators/mcp-resource.js';
import { planChain, withCompletions } from '../../policies/plan-chain.js';
import { findTemplateProblem } from '../checks/check-app.js';
import { bindCompletions, type CompletionResolver } from './completions.js';
import type { BoundMethod } from '../services/bound-service.js';
import {
  type Report,
  type Handled,
  type KindRecord,
  complete,
  definitionBase,
  handled,
  name,
} from './kind-record.js';
import { readable, resourceShaper } from './resource.js';

/** A resource template that is added at run time. Its variables are the arguments. */
export interface ResourceTemplateDefinition extends McpResourceTemplateOptions, Handled {
  name: string;
  /** The completions, by variable. */
  complete?: Readonly<Record<string, Complete>>;
}

export const resourceTemplateKind: KindRecord<
  BoundResourceTemplate,
  ResourceTemplateDefinition,
  McpResourceTemplateOptions
> = {
  options: mcpResourceTemplateOptions,
  definitionOptions: {
    ...mcpResourceTemplateOptions,
    ...handled,
    name,
    complete,
  } satisfies OptionSchema<ResourceTemplateDefinition>,
  draft: draftResourceTemplate,
  define: defineResourceTemplate,
  declare: ({ uriTemplate, ...common }) =>
    typeof uriTemplate === 'string' ? defineResourceTemplate({ ...common, uriTemplate }) : undefined,
  check: checkTemplate,
  publish: describeResourceTemplate,
  plan: planResourceTemplate,
};

/** The resource template that a decorated method reads. */
function draftResourceTemplate(
  source: BoundMethod,
  record: DecoratorRecord<McpResourceTemplateOptions>,
  resolve: CompletionResolver,
): ResourceTemplateDraft {
  const { uriTemplate } = record.options;
  const { input: inputSchema } = source;
  const complete = bindCompletions(source, resolve);
  return {
    kind: 'resourceTemplate',
    ...readable(source, record),
    uriTemplate,
    complete,
    ...(inputSchema && { inputSchema }),
  };
}

function defineResourceTemplate(definition: ResourceTemplateDefinition): ResourceTemplateDraft {
  const { uriTemplate, mimeType, cache, annotations = {}, complete = {} } = definition;
  return {
    kind: 'resourceTemplate',
    ...definitionBase(definition),
    annotations,
    uriTemplate,
    complete,
    ...(mimeType !== undefined && { mimeType }),
    ...(cache && { cache }),
  };
}

/**
 * Plans the chain of a resource template. Its arguments are the variables of the URI. @throws
 * {ConfigurationError}
 */
export function planResourceTemplate(
  draft: ResourceTemplateDraft,
  environment: Environment,
): BoundResourceTemplate {
  const shape = resourceShaper(draft, draft.uriTemplate, environment);
  const template = planChain<ResourceResult, BoundResourceTemplate>(draft, environment, shape);
  return withCompletions(template, draft, environment);
}

function checkTemplate(
  { name, uriTemplate }: ResourceTemplateDraft,
  report: Report,
  inputs: JsonSchema | undefined,
): void {
  const known = inputs && { known: Object.keys(inputs.properties ?? {}), required: inputs.required ?? [] };
  const problem = findTemplateProblem(uriTemplate, known);
  if (!problem) return;
  const message = `The URI template "${String(uriTemplate)}" of "${name}" cannot be used: ${problem}.`;
  const malformed = findTemplateProblem(uriTemplate, undefined) !== undefined;
  report(
    'TW_URI_INVALID',
    message,
    malformed
      ? 'Write it by RFC 6570, such as "note://{id}".'
      : 'Name the parameters of the method like the variables of the template (RFC 6570).',
  );
}
