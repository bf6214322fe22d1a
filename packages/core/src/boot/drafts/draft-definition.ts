import type { JsonSchema } from '@toolwright/manifest';
import type {
  PromptDraft,
  ResourceDraft,
  ResourceTemplateDraft,
  ToolDraft,
} from '../../call/operation/draft.js';
import type { Target } from '../../call/operation/target.js';
import { toLatestDialect } from '../../base/schema/to-latest-dialect.js';
import { APP_MIME_TYPE } from '../../base/app/app-settings.js';
import { isObjectSchema, toolTask, toolUi } from './draft-tool.js';
import type {
  PromptArgument,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolDefinition,
} from './operation-definitions.js';

type Definition = ToolDefinition | PromptDefinition | ResourceDefinition | ResourceTemplateDefinition;

export function defineTool(definition: ToolDefinition): ToolDraft {
  const { inputSchema = { type: 'object', additionalProperties: false }, annotations = {} } = definition;
  const outputSchema = definition.outputSchema && toLatestDialect(definition.outputSchema);
  return {
    kind: 'tool',
    ...definitionBase(definition),
    annotations,
    inputSchema: toLatestDialect(inputSchema),
    exactSchema: definition.exactSchema,
    outputSchema,
    wrapOutput: outputSchema ? !isObjectSchema(outputSchema) : false,
    task: toolTask(definition),
    ui: toolUi(definition),
  };
}

export function definePrompt(definition: PromptDefinition): PromptDraft {
  const { arguments: declared = [], complete = {} } = definition;
  return {
    kind: 'prompt',
    ...definitionBase(definition),
    annotations: {},
    inputSchema: textsNamed(declared),
    arguments: declared.map((argument) => ({ ...argument, required: argument.required ?? false })),
    complete,
  };
}

/** The arguments of a prompt are texts only. An argument that is not declared is refused, as for tools. */
function textsNamed(declared: readonly PromptArgument[]): JsonSchema {
  const properties = Object.fromEntries(declared.map(({ name }) => [name, { type: 'string' as const }]));
  return { type: 'object', properties, additionalProperties: false };
}

export function defineResource(definition: ResourceDefinition): ResourceDraft {
  const { uri, size, cache, ui, annotations = {} } = definition;
  const mimeType = ui ? APP_MIME_TYPE : definition.mimeType;
  return {
    kind: 'resource',
    ...definitionBase(definition),
    annotations,
    uri,
    ...(size !== undefined && { size }),
    ...(mimeType !== undefined && { mimeType }),
    ...(cache && { cache }),
    ...(ui && { ui }),
  };
}

/** Settings of an app imply the media type of its page. */
export function impliedByResource(
  { ui }: ResourceDraft,
  changes: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return ui && 'ui' in changes && !changes['ui'] ? { mimeType: undefined } : {};
}

export function defineResourceTemplate(definition: ResourceTemplateDefinition): ResourceTemplateDraft {
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

function definitionBase(definition: Definition) {
  const { name, title, description, icons, meta = definition._meta, policies = [] } = definition;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(icons && { icons }),
    ...(meta && { meta }),
    policies: new Map(policies),
    target: {
      method: definition.handler,
      instance: () => definition,
    } satisfies Target,
  };
}
