import type { JsonSchema } from '@toolwright/manifest';
import type { McpPromptOptions } from '../decorators/mcp-prompt.js';
import type { McpResourceOptions } from '../decorators/mcp-resource.js';
import type { McpResourceTemplateOptions } from '../decorators/mcp-resource-template.js';
import type { McpToolOptions } from '../decorators/mcp-tool.js';
import type { PolicyEntry } from '../metadata/policy.js';
import type { AppSettings } from '../pipeline/app.js';
import type { Complete } from '../pipeline/operation.js';
import type { ToolContext } from '../pipeline/tool-context.js';

interface Handled {
  /** Gets the validated arguments; returns what a decorated method would. */
  handler(args: Record<string, unknown>, context: ToolContext): unknown;
  /**
   * What decorators say elsewhere.
   * @example policies: [RateLimit.entry({ points: 10, per: '1m' })]
   */
  policies?: Iterable<readonly [name: string, entry: PolicyEntry]>;
}

/** A tool that is added at run time, without a class. It goes through the same guards as any other. */
export interface ToolDefinition extends McpToolOptions, Handled {
  name: string;
  /** JSON Schema 2020-12 of an object. Default: no arguments. */
  inputSchema?: JsonSchema;
  /** Publish the schemas verbatim, without making a client-safe form of them. */
  exactSchema?: boolean;
}

/** A prompt that is added at run time. */
export interface PromptDefinition extends McpPromptOptions, Handled {
  name: string;
  arguments?: readonly { name: string; title?: string; description?: string; required?: boolean }[];
  /** Completions by argument. */
  complete?: Readonly<Record<string, Complete>>;
}

/** A resource that is added at run time. */
export interface ResourceDefinition extends McpResourceOptions, Handled {
  name: string;
  /** Makes it the page of an MCP App, as `@McpApp` does; the handler returns HTML. */
  ui?: AppSettings;
}

/** A resource template that is added at run time; its variables are the arguments. */
export interface ResourceTemplateDefinition extends McpResourceTemplateOptions, Handled {
  name: string;
  /** Completions by variable. */
  complete?: Readonly<Record<string, Complete>>;
}
