import { toolUiOptions, type ToolUi } from '@toolwright/ground/base/app-settings';
import {
  type Icon,
  type ToolAnnotations,
  icons,
  toolAnnotationOptions,
} from '@toolwright/ground/base/content';
import type { ExtraToolOptions } from '@toolwright/ground/base/extended';
import type { OptionRule, OptionSchema } from '@toolwright/ground/base/options/option-schema';
import {
  anyObject,
  jsonObject,
  count,
  duration,
  either,
  flag,
  group,
  oneOf,
  positiveCount,
  required,
  text,
} from '@toolwright/ground/base/options/rules';
import { standardSchema } from '@toolwright/ground/base/options/rules';
import type { ToolTask } from '@toolwright/ground/call/operation/operation';
import type { AnySchema, StandardSchema } from '@toolwright/json';
import { recording, type ClassOrMethodDecorator } from './recording.js';
import type { StandardInputDecorator } from './schema.js';

export interface McpToolOptions extends ExtraToolOptions {
  /**
   * 1 to 64 characters of `A-Z a-z 0-9 _ . -`. Default: the method's name; for a class, its name in snake
   * case.
   */
  name?: string;
  /**
   * Serves several contracts of one tool at once: one method for each version, with the same `name`. The newest version has
   * the bare name and is listed. Every version can be called as `search_pages.v1`. Numbers in versions count as numbers:
   * `10` is newer than `9`.
   */
  version?: string;
  /** Tells models and people not to use the tool any more, and what to do instead: `'use find_pages'`. */
  deprecated?: string | true;
  /** The name of the tool that replaces this one, which is then deprecated. */
  replacedBy?: string;
  /** Since when the tool is deprecated: a version of the server, or a date. */
  since?: string;
  /** The name that people see. */
  title?: string;
  /** The description that the model reads. Default: the method's doc comment. */
  description?: string;
  /**
   * What the tool changes in the world. Clients get these hints as you write them. The built-in guards use
   * them, too.
   */
  annotations?: ToolAnnotations;
  icons?: Icon[];
  /** Published as `_meta`. */
  meta?: Record<string, unknown>;
  /**
   * A schema of Zod, Valibot, ArkType or another library with Standard Schema, for all arguments together. It
   * is published, and the method gets its output. See `@Schema` for the schema of one parameter.
   */
  inputSchema?: StandardSchema;
  /**
   * The schema of the result. It replaces the one that the compiler derives from the return type. It may also
   * be a schema of such a library; the JSON Schema of its output is then used.
   */
  outputSchema?: AnySchema | StandardSchema;
  /**
   * How many bytes of JSON the published schemas of this tool may take. By default, the build warns from 16
   * KB on and refuses more than 256 KB. With this option, the build refuses more than this number and does
   * not warn.
   */
  maxSchemaBytes?: number;
  /**
   * For long work: the call is answered at once with a task, and the client follows the task (the extension
   * `io.modelcontextprotocol/tasks`). `'required'` refuses clients that did not declare the extension.
   * `'optional'` lets such clients wait for the result. `rerun`, `retries` and `backoff` count on a task queue
   * (docs/tasks.md).
   */
  task?: ToolTask['mode'] | (Partial<ToolTask> & Pick<ToolTask, 'mode'>);
  /**
   * The page that shows the results: the `uri` of an `@McpApp` of this server (the extension
   * `io.modelcontextprotocol/ui`). An object also says who may call the tool: `{ visibility: ['app'] }`
   * allows only pages. The result's text must contain everything that the page shows, because clients without
   * the extension show only the text.
   */
  ui?: string | ToolUi;
}

const taskMode = oneOf('optional', 'required');

const taskOptions = {
  mode: required(taskMode),
  start: oneOf('immediate', 'explicit'),
  rerun: flag,
  retries: count,
  backoff: duration,
} satisfies OptionSchema<Exclude<NonNullable<McpToolOptions['task']>, string>>;

const versionText: OptionRule = {
  expected: 'a version of at most 16 letters, digits, dots and hyphens, such as "2"',
  accepts: (value) => typeof value === 'string' && /^[0-9A-Za-z][0-9A-Za-z.-]{0,15}$/.test(value),
};

export const mcpToolOptions = {
  name: text,
  version: versionText,
  deprecated: either(text, flag),
  replacedBy: text,
  since: text,
  title: text,
  description: text,
  annotations: group(toolAnnotationOptions),
  icons,
  meta: jsonObject,
  inputSchema: standardSchema,
  outputSchema: either(anyObject, standardSchema),
  maxSchemaBytes: positiveCount,
  task: either(taskMode, group(taskOptions)),
  ui: either(text, group(toolUiOptions)),
} satisfies OptionSchema<Omit<McpToolOptions, keyof ExtraToolOptions>>;

/**
 * Makes a method a tool that a model can call. The method's signature becomes the schema, and its doc comment
 * becomes the description. On a class, the `invoke` method is the tool. See "Tools" of the specification
 * (server/tools).
 *
 * @example
 * @McpTool({ annotations: { readOnlyHint: true } }) async searchPages(query: string, limit: integer = 10):
 * Promise<SearchResult> { … }
 */
export function McpTool<Output = NoSchema>(
  options: McpToolOptions & { inputSchema?: StandardSchema<unknown, Output> } = {},
): [Output] extends [NoSchema] ? ClassOrMethodDecorator : StandardInputDecorator<Output> {
  return recording({ kind: 'tool', options, schema: mcpToolOptions }, McpTool) as never;
}

/**
 * Used as the output when there is no schema. One signature in place of two overloads: for a misspelt option, the
 * compiler says one line about the option, and nothing about overloads that were not meant.
 */
interface NoSchema {
  readonly ' no schema': never;
}
