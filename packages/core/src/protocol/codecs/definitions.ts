import type { JsonSchema } from '@toolwright/manifest';
import type {
  BoundOperation,
  BoundPrompt,
  BoundResource,
  BoundResourceTemplate,
  BoundTool,
} from '../../call/operation/operation.js';
import type { Features } from '../revisions/features.js';
import type { JsonObject } from '../messages/json-rpc.js';
import type { ServerInfo } from '../protocol-host.js';
import { narrowAnnotations } from './narrow-annotations.js';

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
  return {
    ...describe(tool, features),
    inputSchema: schemas.input,
    outputSchema: features.structuredContent ? schemas.output : undefined,
    annotations: features.toolAnnotations ? orNothing(tool.annotations) : undefined,
    execution: features.requestedTasks && tool.task ? { taskSupport: tool.task.mode } : undefined,
    _meta: features.titles ? withToolUi(tool) : undefined,
  };
}

/**
 * Hosts from before the extension was stable look for the flat key. It can be removed when no such host is
 * left.
 */
function withToolUi({ meta, ui }: Published<BoundTool>): BoundTool['meta'] {
  if (!ui) return meta;
  return { ...meta, ui, ...(ui.resourceUri !== undefined && { 'ui/resourceUri': ui.resourceUri }) };
}

export interface ToolSchemas {
  input: JsonSchema;
  output: JsonSchema | undefined;
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
  return {
    uri: resource.uri,
    ...describeReadable({ ...resource, ...(ui && { meta: { ...meta, ui } }) }, features),
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
