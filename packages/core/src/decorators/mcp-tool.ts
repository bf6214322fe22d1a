import { toolUiOptions, type ToolUi } from '../base/app/app-settings.js';
import type { ToolTask } from '../call/operation/operation.js';
import type { Icon, ToolAnnotations } from '../base/content/content.js';
import { icons, toolAnnotationOptions } from '../base/options/content-options.js';
import type { OptionSchema } from '../base/options/option-schema.js';
import type { AnySchema } from '../base/any-schema.js';
import { anyObject, either, group, oneOf, positiveCount, required, text } from '../base/options/rules.js';
import { recording, type ClassOrMethodDecorator } from './recording.js';

export interface McpToolOptions {
  /** 1 to 64 of `A-Z a-z 0-9 _ . -`. Default: the method's name; for a class, its name in snake case. */
  name?: string;
  /** For people, where a name is shown. */
  title?: string;
  /** For the model. Default: the method's doc comment. */
  description?: string;
  /** What the tool does to the world. Published as written; the built-in guards go by them. */
  annotations?: ToolAnnotations;
  icons?: Icon[];
  /** Published as `_meta`. */
  meta?: Record<string, unknown>;
  /** Replaces the schema of the result that the compiler derives from the return type. */
  outputSchema?: AnySchema;
  /**
   * Bytes of JSON that the schemas of this tool may take as they are published. The build warns from 16 KB on and refuses
   * more than 256 KB; with this option it refuses more than this, and does not warn.
   */
  maxSchemaBytes?: number;
  /**
   * Long work: answer at once with a task that the client follows (the extension `io.modelcontextprotocol/tasks`).
   * `'required'` refuses clients that did not declare the extension; `'optional'` lets them wait for the result.
   */
  task?: ToolTask['mode'] | { mode: ToolTask['mode']; start?: ToolTask['start'] };
  /**
   * The page that shows the results: the `uri` of an `@McpApp` of this server (the extension
   * `io.modelcontextprotocol/ui`). Or who may call the tool: `{ visibility: ['app'] }` is for pages alone. Whatever a
   * page shows, the result's text must say as well; clients without the extension show that.
   */
  ui?: string | ToolUi;
}

const taskMode = oneOf('optional', 'required');

const taskOptions = {
  mode: required(taskMode),
  start: oneOf('immediate', 'explicit'),
} satisfies OptionSchema<Exclude<NonNullable<McpToolOptions['task']>, string>>;

export const mcpToolOptions = {
  name: text,
  title: text,
  description: text,
  annotations: group(toolAnnotationOptions),
  icons,
  meta: anyObject,
  outputSchema: anyObject,
  maxSchemaBytes: positiveCount,
  task: either(taskMode, group(taskOptions)),
  ui: either(text, group(toolUiOptions)),
} satisfies OptionSchema<McpToolOptions>;

/**
 * Makes a method a tool that a model can call: its signature is the schema, its doc comment the description. On a
 * class, its `invoke` method is the tool. See "Tools" of the specification (server/tools).
 *
 * @example
 * @McpTool({ annotations: { readOnlyHint: true } })
 * async searchPages(query: string, limit: integer = 10): Promise<SearchResult> { … }
 */
export function McpTool(options: McpToolOptions = {}): ClassOrMethodDecorator {
  return recording({ kind: 'tool', options, schema: mcpToolOptions }, McpTool);
}
