import { pageMeta, toolUiMeta } from '@toolwright/ground/base/app-settings';
import type {
  BoundOperation,
  BoundPrompt,
  BoundResource,
  BoundResourceTemplate,
  BoundTool,
} from '@toolwright/ground/call/operation/operation';
import { type JsonSchema, shortForm, toClientSafe, present } from '@toolwright/json';
import type { JsonObject } from './json-rpc.js';
import type { Features, PublishSchemas, ServerInfo, ToolSchemas } from './revision-record.js';

/** The published part of an operation, whether it is planned or not. */
type Published<O extends BoundOperation> = Omit<O, 'run' | 'plan' | 'contract'>;

/**
 * The fields that all kinds of definitions share, as far as the revision knows them. JSON leaves out
 * `undefined` members.
 */
function describe(operation: Published<BoundOperation>, features: Features): JsonObject {
  return {
    name: operation.name,
    title: features.titles ? operation.title : undefined,
    description: operation.description,
    icons: features.icons ? operation.icons : undefined,
  };
}

const orNothing = <T extends object>(value: T): T | undefined =>
  Object.keys(value).length > 0 ? value : undefined;

export function describeTool(
  tool: Published<BoundTool>,
  features: Features,
  schemas: ToolSchemas,
): JsonObject {
  // One literal: to spread the shared fields and add to them takes two kilobytes more for each tool.
  return {
    name: tool.name,
    title: features.titles ? tool.title : undefined,
    description: describedTool(tool),
    icons: features.icons ? tool.icons : undefined,
    inputSchema: schemas.input,
    outputSchema: features.structuredContent ? schemas.output : undefined,
    annotations: features.toolAnnotations ? orNothing(tool.annotations) : undefined,
    execution: features.requestedTasks && tool.task ? { taskSupport: tool.task.mode } : undefined,
    securitySchemes: securitySchemesOf(tool),
    _meta: features.titles ? metaOf(tool) : undefined,
  };
}

/** A model reads the description, so that it says first that the tool should not be used. */
function describedTool({ description, deprecation }: Published<BoundTool>): string | undefined {
  if (!deprecation) return description;
  const { reason, replacedBy, since } = deprecation;
  const when = since === undefined ? '' : ` since ${since}`;
  const why = reason === undefined ? '' : `: ${reason.replace(/\.$/, '')}`;
  const instead = replacedBy === undefined || reason?.includes(replacedBy) ? '' : ` Use ${replacedBy}.`;
  return [`Deprecated${when}${why}.${instead}`, description].filter(Boolean).join(' ');
}

/** What a caller needs that may only see the tool. No revision has the field; some hosts read it. */
function securitySchemesOf({ lockedScopes }: Published<BoundTool>): JsonObject[] | undefined {
  return lockedScopes && [{ type: 'oauth2', scopes: lockedScopes }];
}

/** The group of a tool, for hosts that search by themselves. */
export const GROUP_META = 'io.toolwright/group';

/** Clients that know only the fields of the protocol pass `_meta` on, and drop the field itself. */
function metaOf(tool: Published<BoundTool>): BoundTool['meta'] {
  const page = tool.ui && toolUiMeta(tool.ui);
  const meta = page ? { ...page, ...tool.meta, ui: page['ui'] } : tool.meta;
  const securitySchemes = securitySchemesOf(tool);
  // A tool has a group only in a server with the package that knows the option.
  const group = (tool.extra as { group?: string } | undefined)?.group;
  if (!securitySchemes && group === undefined) return meta;
  return present({ ...meta, securitySchemes, [GROUP_META]: group });
}

export function describePrompt(prompt: Published<BoundPrompt>, features: Features): JsonObject {
  return {
    ...describe(prompt, features),
    arguments: prompt.arguments.map(({ name, title, description, required }) => ({
      name,
      title: features.titles ? title : undefined,
      description,
      required,
    })),
    _meta: features.titles ? prompt.meta : undefined,
  };
}

export function describeResource(resource: Published<BoundResource>, features: Features): JsonObject {
  const { ui, meta } = resource;
  const page = ui && pageMeta(ui);
  return {
    uri: resource.uri,
    ...describeReadable(
      { ...resource, ...(page && { meta: { ...page, ...meta, ui: page['ui'] } }) },
      features,
    ),
    size: resource.size,
  };
}

export function describeResourceTemplate(
  template: Published<BoundResourceTemplate>,
  features: Features,
): JsonObject {
  return { uriTemplate: template.uriTemplate, ...describeReadable(template, features) };
}

function describeReadable(
  readable: Published<BoundResource> | Published<BoundResourceTemplate>,
  features: Features,
): JsonObject {
  return {
    ...describe(readable, features),
    mimeType: readable.mimeType,
    annotations: orNothing(narrowAnnotations({ ...readable.annotations }, features)),
    _meta: features.titles ? readable.meta : undefined,
  };
}

export function describeServer(info: ServerInfo, features: Features): JsonObject {
  return {
    name: info.name,
    version: info.version,
    title: features.titles ? info.title : undefined,
    description: features.icons ? info.description : undefined,
    icons: features.icons ? info.icons : undefined,
    websiteUrl: features.icons ? info.websiteUrl : undefined,
  };
}

/** Annotations of content and of resources, as far as the revision knows them: `lastModified` came with 2025-06-18. */
export function narrowAnnotations(annotations: JsonObject, { titles }: Features): JsonObject {
  if (titles) return annotations;
  const { lastModified: _lastModified, ...known } = annotations;
  return known;
}

/** Publishes schemas in a form that all clients can read. Exact schemas are published word for word. */
export const publishClientSafe: PublishSchemas = (tool) => {
  const { inputSchema, outputSchema, exactSchema } = tool;
  if (exactSchema === true) return publishNatural(tool);
  const input = toClientSafe(inputSchema, { role: 'input' });
  return {
    input: asInput(input),
    output: outputSchema && toClientSafe(outputSchema, { role: 'output' }),
  };
};

/**
 * The same, with words in place of the long patterns of validators: a model needs no pattern of a URL. Results have the
 * patterns, because clients check results with what is published.
 */
export const publishShort: PublishSchemas = (tool) => {
  const { input, output } = publishClientSafe(tool);
  return { input: tool.exactSchema === true ? input : shortForm(input), output };
};

/**
 * Publishes the schemas that are used for validation. They may contain `$ref`s and choices that some clients
 * cannot read.
 */
export const publishNatural: PublishSchemas = ({ inputSchema, outputSchema }) => ({
  input: asInput(inputSchema),
  output: outputSchema,
});

/**
 * The root must say that it is an object, whatever else it says (server/tools). Some clients refuse a tool
 * whose input has no `properties`, even when it takes no arguments.
 */
function asInput(schema: JsonSchema): JsonSchema {
  if (schema.type === 'object' && schema.properties) return schema;
  const { type: _, ...rest } = schema;
  return { type: 'object', ...rest, properties: schema.properties ?? {} };
}

/** Revisions before 2026-07-28 require an object at the root of an output schema. */
export function asObjectSchema(output: JsonSchema | undefined, wrap: boolean): JsonSchema | undefined {
  if (!output) return undefined;
  if (!wrap) return output.type === 'object' ? output : { ...output, type: 'object' };
  const { $defs, $schema, ...result } = output;
  return {
    ...($schema ? { $schema } : {}),
    type: 'object',
    properties: { result },
    required: ['result'],
    ...($defs ? { $defs } : {}),
  };
}
