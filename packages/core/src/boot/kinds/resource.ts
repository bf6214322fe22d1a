import { APP_MIME_TYPE, type AppSettings, appSettingsOptions } from '@toolwright/ground/base/app-settings';
import type { DecoratorRecord } from '@toolwright/ground/base/metadata/store';
import type { OptionSchema } from '@toolwright/ground/base/options/option-schema';
import { group } from '@toolwright/ground/base/options/rules';
import type { ActiveCall } from '@toolwright/ground/call/active-call';
import type { Environment } from '@toolwright/ground/call/environment';
import type { ResourceDraft, ResourceTemplateDraft } from '@toolwright/ground/call/operation/draft';
import type { BoundResource } from '@toolwright/ground/call/operation/operation';
import { shapeResourceResult } from '@toolwright/ground/call/results/shape-prompt-and-resource';
import { type JsonSchema, present } from '@toolwright/json';
import { describeResource } from '@toolwright/wire/definitions';
import {
  type McpAppOptions,
  type McpResourceOptions,
  type McpResourceTemplateOptions,
  mcpResourceOptions,
} from '../../decorators/mcp-resource.js';
import { dataWriterOf } from '../../policies/output/undeclared-output.js';
import { planChain } from '../../policies/plan-chain.js';
import {
  findAppProblems,
  findAppUriProblem,
  findTemplateProblem,
  findUriProblem,
} from '../checks/check-app.js';
import type { BoundMethod } from '../services/bound-service.js';
import {
  draftBase,
  type Report,
  type Handled,
  type KindRecord,
  definitionBase,
  handled,
  name,
} from './kind-record.js';

/** A resource that is added at run time. */
export interface ResourceDefinition extends McpResourceOptions, Handled {
  name: string;
  /** Makes the resource the page of an MCP App, as `@McpApp` does. The handler then returns HTML. */
  ui?: AppSettings;
}

export const resourceKind: KindRecord<BoundResource, ResourceDefinition, McpResourceOptions> = {
  options: mcpResourceOptions,
  definitionOptions: {
    ...mcpResourceOptions,
    ...handled,
    name,
    ui: group(appSettingsOptions),
  } satisfies OptionSchema<ResourceDefinition>,
  draft: draftResource,
  define: defineResource,
  declare: ({ uri, ...common }) => (typeof uri === 'string' ? defineResource({ ...common, uri }) : undefined),
  implied: impliedByResource,
  check: checkUri,
  publish: describeResource,
  plan: planResource,
};

/** The resource that a decorated method reads. */
function draftResource(source: BoundMethod, record: DecoratorRecord<McpResourceOptions>): ResourceDraft {
  const { uri, size } = record.options;
  return { kind: 'resource', ...readable(source, record), uri, ...(size !== undefined && { size }) };
}

/** What resources and their templates share. */
export function readable(
  source: BoundMethod,
  record: DecoratorRecord<McpResourceOptions | McpResourceTemplateOptions>,
) {
  const { mimeType, cache, annotations = {} } = record.options;
  return {
    ...draftBase(source, record),
    annotations,
    ...(mimeType !== undefined && { mimeType }),
    ...(cache && { cache }),
  };
}

function defineResource(definition: ResourceDefinition): ResourceDraft {
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
function impliedByResource(
  { ui }: ResourceDraft,
  changes: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return ui && 'ui' in changes && !changes['ui'] ? { mimeType: undefined } : {};
}

/** Plans the chain of a resource. @throws {ConfigurationError} */
function planResource(draft: ResourceDraft, environment: Environment): BoundResource {
  return planChain(draft, environment, resourceShaper(draft, draft.uri, environment));
}

/** Makes contents of what a reader returns. @param address theirs, where the request names none */
export function resourceShaper(
  draft: ResourceDraft | ResourceTemplateDraft,
  address: string,
  environment: Environment,
) {
  const { mimeType, ui, target } = draft as ResourceDraft;
  const returnsResult = target.protocolResult === 'resource';
  const write = dataWriterOf(draft, environment);
  return (value: unknown, { request: { uri = address, era } }: ActiveCall) =>
    shapeResourceResult(value, { uri, mimeType, era, ui, returnsResult, write });
}

function checkUri({ name, uri, ui }: ResourceDraft, report: Report, inputs: JsonSchema | undefined): void {
  const problem = findUriProblem(uri) ?? (ui && findAppUriProblem(uri));
  const example = ui ? 'ui://weather/chart' : 'config://app';
  // Other frameworks take templates where they take addresses.
  const isTemplate = !ui && /\{[^{}]+\}/.test(uri) && findTemplateProblem(uri, undefined) === undefined;
  const fix = isTemplate
    ? `A URI with variables is a template: use @McpResourceTemplate({ uriTemplate: '${uri}' }), or server.resourceTemplates.add.`
    : `Give it a URI such as "${example}".`;
  if (problem) report('TW_URI_INVALID', `The resource "${name}": ${problem}.`, fix);
  // A missing address is a problem of the options.
  const [unset] = problem || typeof uri !== 'string' ? [] : (inputs?.required ?? []);
  if (unset !== undefined)
    report(
      'TW_URI_INVALID',
      `The resource "${name}": its method needs "${unset}", and "${uri}" has no variable that gives it.`,
      `Use a template: @McpResourceTemplate({ uriTemplate: '${uri}/{${unset}}' }).`,
    );
  for (const { what, fix } of ui ? findAppProblems(ui) : [])
    report('TW_APP_INVALID', `The app "${name}": ${what}.`, fix);
}

/** Makes the resource whose content is the page that a decorated method returns. */
export function draftApp(source: BoundMethod, record: DecoratorRecord<McpAppOptions>): ResourceDraft {
  return { ...draftResource(source, record), mimeType: APP_MIME_TYPE, ui: settingsOf(record.options) };
}

/** The options of `@McpApp` that tell hosts how to show the page. */
export function settingsOf({ csp, permissions, domain, prefersBorder }: AppSettings): AppSettings {
  return present({ csp, permissions, domain, prefersBorder });
}
