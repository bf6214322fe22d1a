import { mcpPromptOptions, type McpPromptOptions } from '../../decorators/mcp-prompt.js';
import { mcpResourceOptions, type McpResourceOptions } from '../../decorators/mcp-resource.js';
import {
  mcpResourceTemplateOptions,
  type McpResourceTemplateOptions,
} from '../../decorators/mcp-resource-template.js';
import { mcpToolOptions, type McpToolOptions } from '../../decorators/mcp-tool.js';
import type { PolicyEntry } from '../../base/metadata/policy.js';
import type { OptionSchema } from '../../base/options/option-schema.js';
import {
  anyObject,
  anything,
  callback,
  flag,
  group,
  listOf,
  recordOf,
  required,
  text,
} from '../../base/options/rules.js';
import { appSettingsOptions, type AppSettings } from '../../base/app/app-settings.js';
import type { AnySchema } from '../../base/any-schema.js';
import type { Complete } from '../../call/operation/operation.js';
import type { ToolContext } from '../../call/context/tool-context.js';

interface Handled {
  /**
   * The same as `meta`. It lets you pass on a definition in the form in which another server publishes it.
   */
  _meta?: Record<string, unknown>;
  /**
   * Gets the validated arguments. It returns what a decorated method would return, or the protocol's own
   * result. You can return the answer of another server unchanged.
   */
  handler(args: Record<string, unknown>, context: ToolContext): unknown;
  /**
   * The policies that decorators would set.
   *
   * @example
   * policies: [RateLimit.entry({ points: 10, per: '1m' })]
   */
  policies?: Iterable<readonly [name: string, entry: PolicyEntry]>;
}

/** A tool that is added at run time, without a class. The same guards apply to it as to any other tool. */
export interface ToolDefinition extends McpToolOptions, Handled {
  name: string;
  /**
   * The JSON Schema of an object: 2020-12, or an older draft from draft-04 on, which is rewritten. Default:
   * the tool has no arguments.
   */
  inputSchema?: AnySchema;
  /**
   * What another server publishes about its tool. It is ignored: `task` says how a tool of this server runs.
   */
  execution?: unknown;
  /**
   * Publishes the schemas word for word; no client-safe form is made of them. Older drafts are still
   * rewritten.
   */
  exactSchema?: boolean;
}

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

/** A resource that is added at run time. */
export interface ResourceDefinition extends McpResourceOptions, Handled {
  name: string;
  /** Makes the resource the page of an MCP App, as `@McpApp` does. The handler then returns HTML. */
  ui?: AppSettings;
}

/** A resource template that is added at run time. Its variables are the arguments. */
export interface ResourceTemplateDefinition extends McpResourceTemplateOptions, Handled {
  name: string;
  /** The completions, by variable. */
  complete?: Readonly<Record<string, Complete>>;
}

const handled = {
  handler: required(callback),
  policies: {
    expected: 'a list of entries that policies make',
    accepts: (value: unknown) => value != null && Symbol.iterator in Object(value),
  },
  _meta: anyObject,
} satisfies OptionSchema<Handled>;

const complete = recordOf('functions by name', callback);

/** A name that cannot be published is reported later, together with other problems of what is published. */
const name = { ...anything, required: true } as const;

export const toolDefinitionOptions = {
  ...mcpToolOptions,
  ...handled,
  name,
  inputSchema: anyObject,
  execution: anything,
  exactSchema: flag,
} satisfies OptionSchema<ToolDefinition>;

const promptArgumentOptions = {
  name: required(text),
  title: text,
  description: text,
  required: flag,
} satisfies OptionSchema<PromptArgument>;

export const promptDefinitionOptions = {
  ...mcpPromptOptions,
  ...handled,
  name,
  arguments: listOf('a list of arguments', group(promptArgumentOptions)),
  complete,
} satisfies OptionSchema<PromptDefinition>;

export const resourceDefinitionOptions = {
  ...mcpResourceOptions,
  ...handled,
  name,
  ui: group(appSettingsOptions),
} satisfies OptionSchema<ResourceDefinition>;

export const resourceTemplateDefinitionOptions = {
  ...mcpResourceTemplateOptions,
  ...handled,
  name,
  complete,
} satisfies OptionSchema<ResourceTemplateDefinition>;
