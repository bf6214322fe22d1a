import { ConfigurationError } from '@toolwright/ground/base/errors/configuration-error';
import type { ExtraToolOptions } from '@toolwright/ground/base/extended';
import { findRecord } from '@toolwright/ground/base/metadata/class-records';
import type { DecoratorRecord } from '@toolwright/ground/base/metadata/store';
import type { OptionSchema } from '@toolwright/ground/base/options/option-schema';
import { anyObject, anything, either, flag, group, oneOf, text } from '@toolwright/ground/base/options/rules';
import { standardSchema } from '@toolwright/ground/base/options/rules';
import type { Environment } from '@toolwright/ground/call/environment';
import { type ToolDraft, contractOf } from '@toolwright/ground/call/operation/draft';
import { exactName } from '@toolwright/ground/call/operation/names';
import type { BoundTool, Deprecation, ResultParts } from '@toolwright/ground/call/operation/operation';
import { toolResultShaper, toolShape } from '@toolwright/ground/call/results/shape-tool-result';
import {
  type AnySchema,
  embedSchema,
  findPatternProblems,
  findSchemaProblems,
  isStandardSchema,
  type JsonSchema,
  lazily,
  oncePerSchema,
  referredSchema,
  standardJson,
  type StandardSchema,
  toLatestDialect,
} from '@toolwright/json';
import { describeTool } from '@toolwright/wire/definitions';
import { planParamHeaders } from '@toolwright/wire/param-headers';
import { type McpToolOptions, mcpToolOptions } from '../../decorators/mcp-tool.js';
import type { SchemaRecord } from '../../decorators/schema.js';
import { lockedScopes } from '../../policies/authorize.js';
import { continuationOf, withCursor } from '../../policies/output/continue-output.js';
import { takesConfirmed, withConfirmed } from '../../policies/confirm/ask-to-confirm.js';
import { outputLimitOf } from '../../policies/output/max-output.js';
import { planUserMiddleware } from '../../policies/middleware.js';
import { outputWritersOf, partWriterOf, undeclaredRuleOf } from '../../policies/output/undeclared-output.js';
import { planChain } from '../../policies/plan-chain.js';
import { findSensitiveProblems, findToolUiProblems, findAppUriProblem } from '../checks/check-app.js';
import type { BoundMethod } from '../services/bound-service.js';
import { unpublishable } from '../services/complete-input.js';
import {
  draftBase,
  type Report,
  checkPatterns,
  checkReferences,
  type Handled,
  type KindRecord,
  definitionBase,
  handled,
  name,
} from './kind-record.js';

/** A tool that is added at run time, without a class. The same guards apply to it as to any other tool. */
export interface ToolDefinition extends Omit<McpToolOptions, 'inputSchema'>, Handled {
  name: string;
  /**
   * The JSON Schema of an object: 2020-12, or an older draft from draft-04 on, which is rewritten. Default:
   * the tool has no arguments. Or a schema of Zod, Valibot, ArkType or the like: the tool publishes its JSON
   * Schema, and the handler gets its output.
   */
  inputSchema?: AnySchema | StandardSchema;
  /**
   * What another server publishes about its tool. It is ignored: `task` says how a tool of this server runs.
   */
  execution?: unknown;
  /**
   * Publishes the schemas word for word; no client-safe form is made of them. Older drafts are still
   * rewritten. `'arguments'`: the client-safe form is published, and the server adds no argument of its own. So a
   * proxy may pass on the arguments of another server. Checking its results takes no longer than checking a caller's values.
   */
  exactSchema?: boolean | 'arguments';
}

export const toolKind: KindRecord<BoundTool, ToolDefinition, McpToolOptions> = {
  options: mcpToolOptions,
  definitionOptions: {
    ...mcpToolOptions,
    ...handled,
    name,
    inputSchema: either(anyObject, standardSchema),
    execution: anything,
    exactSchema: either(flag, oneOf('arguments')),
    // A view is beside the source of a class, and a definition has none.
    ui: either(text, group({ resourceUri: text, visibility: anything, sensitive: anything })),
  } satisfies OptionSchema<Omit<ToolDefinition, keyof ExtraToolOptions>>,
  draft: draftTool,
  define: defineTool,
  declare(common, { input, output, isComputed }) {
    const outputSchema = output && !isComputed('outputSchema') ? output : undefined;
    return defineTool({ ...(outputSchema && { outputSchema }), ...common, inputSchema: input });
  },
  check(draft, report) {
    checkSchemas(draft, report);
    checkUi(draft, report);
  },
  publish: (draft, features) =>
    describeTool(draft, features, { input: draft.inputSchema, output: draft.outputSchema }),
  plan: planTool,
};

/** Makes the tool of a decorated method. */
function draftTool(source: BoundMethod, record: DecoratorRecord<McpToolOptions>): ToolDraft {
  const { options } = record;
  const { bound, entry, method } = source;
  const { manifest } = bound.match;
  const schema = findRecord<SchemaRecord>(method.records, 'schema')?.options;
  const declared = outputSchemaOf(options.outputSchema, `${bound.service.name}.${method.method}`);
  const outputSchema = declared ?? (entry.output === null ? undefined : manifest.schema(entry.output));
  // This assigns and does not spread: V8 takes four times as long when a literal begins with a spread, for
  // each of a thousand tools.
  const base = draftBase(source, record);
  return Object.assign(base, {
    kind: 'tool' as const,
    ...ofVersion(base.name, options),
    deprecation: deprecationOf(options),
    annotations: options.annotations ?? {},
    inputSchema: (schema?.exact ? toLatestDialect(schema.schema as JsonSchema) : source.input) ?? {},
    exactSchema: schema?.exact,
    outputSchema,
    wrapOutput: declared ? !isObjectSchema(declared) : entry.wrap,
    task: toolTask(options),
    ui: toolUi(options),
  });
}

/** A version is known by its own name. The registry gives the bare name to the newest one. */
function ofVersion(bare: string, { version }: Pick<McpToolOptions, 'version'>): Partial<ToolDraft> {
  return version === undefined
    ? {}
    : {
        name: exactName({ name: bare, version, versionOf: bare }),
        version,
        versionOf: bare,
        isUnlisted: true,
      };
}

function deprecationOf(
  options: Pick<McpToolOptions, 'deprecated' | 'replacedBy' | 'since'> & { deprecation?: Deprecation },
): Deprecation | undefined {
  const { deprecated, replacedBy, since, deprecation } = options;
  if (deprecated === undefined && replacedBy === undefined && since === undefined) return deprecation;
  return { reason: typeof deprecated === 'string' ? deprecated : undefined, replacedBy, since };
}

/**
 * The option `outputSchema` as JSON Schema 2020-12.
 *
 * @throws {ConfigurationError} for a schema of a library that has no JSON Schema
 */
function outputSchemaOf(given: McpToolOptions['outputSchema'], tool: string): JsonSchema | undefined {
  if (!isStandardSchema(given)) return given && toLatestDialect(given);
  const { json, problem } = standardJson(given, 'output');
  if (json) return json;
  throw new ConfigurationError([unpublishable(`The output schema of ${tool}`, problem, undefined)]);
}

/** The option `task` in its long form. */
function toolTask({ task }: Pick<McpToolOptions, 'task'>): BoundTool['task'] {
  if (task === undefined) return undefined;
  return typeof task === 'string' ? { mode: task, start: 'immediate' } : { start: 'immediate', ...task };
}

/** The option `ui` in its long form. */
function toolUi({ ui }: Pick<McpToolOptions, 'ui'>): BoundTool['ui'] {
  return typeof ui === 'string' ? { resourceUri: ui } : ui;
}

/**
 * The schema of a definition's arguments, as it is published.
 *
 * @throws {ConfigurationError} for a schema of a library that has no JSON Schema
 */
function inputSchemaOf(given: ToolDefinition['inputSchema'], tool: string): JsonSchema {
  if (!isStandardSchema(given))
    return toLatestDialect(given ?? { type: 'object', additionalProperties: false });
  const { json, problem } = standardJson(given, 'input');
  if (!json) throw new ConfigurationError([unpublishable(`The input schema of ${tool}`, problem, undefined)]);
  const { schema, $defs } = embedSchema(json, 'Arguments', new Set());
  return { type: 'object', ...schema, ...(Object.keys($defs).length > 0 && { $defs }) };
}

function defineTool(definition: ToolDefinition): ToolDraft {
  const { inputSchema, annotations = {} } = definition;
  // A definition that is changed is made of a draft, which knows its bare name.
  const { versionOf = definition.name } = definition as { versionOf?: string };
  const base = definitionBase(definition);
  const standard = isStandardSchema(inputSchema)
    ? [{ name: '', schema: inputSchema, takesNothing: false }]
    : undefined;
  const outputSchema = outputSchemaOf(definition.outputSchema, definition.name);
  return {
    kind: 'tool',
    ...base,
    ...ofVersion(versionOf, definition),
    ...(deprecationOf(definition) && { deprecation: deprecationOf(definition) }),
    ...(standard && { target: { ...base.target, standard } }),
    annotations,
    inputSchema: inputSchemaOf(inputSchema, definition.name),
    exactSchema: definition.exactSchema,
    outputSchema,
    wrapOutput: outputSchema ? !isObjectSchema(outputSchema) : false,
    task: toolTask(definition),
    ui: toolUi(definition),
  };
}

/**
 * Plans the chain of a tool, from its annotations and policies and the server's options.
 *
 * @returns the tool: middleware sees it as `call.operation`, and the registry stores it
 * @throws {ConfigurationError} when the options of a policy cannot be used
 */
function planTool(draft: ToolDraft, environment: Environment): BoundTool {
  const { outputSchema } = draft;
  const writers = outputSchema && outputWritersOf(outputSchema, draft, environment);
  const { ofValues } = undeclaredRuleOf(draft, environment);
  const shape = toolShape(draft, writers?.value, ofValues);
  const confirmed = takesConfirmed(draft)
    ? { ...draft, contract: contractOf(draft), inputSchema: withConfirmed(draft.inputSchema) }
    : draft;
  const continuation = continuationOf(draft, environment);
  const effective = continuation
    ? {
        ...confirmed,
        contract: contractOf(draft),
        ...(continuation.takesCursor && { inputSchema: withCursor(confirmed.inputSchema) }),
        links: continuation.links,
      }
    : confirmed;
  const locked = lockedScopes(draft, environment.options.lockedTools);
  const parts = planParts(draft, environment);
  const own = effective.inputSchema === draft.inputSchema ? undefined : draft.inputSchema;
  return planChain(
    locked || parts || own
      ? {
          ...effective,
          ...(locked && { lockedScopes: locked }),
          ...(parts && { parts }),
          ...(own && { ownInput: own }),
        }
      : effective,
    environment,
    toolResultShaper(shape, ofValues),
  );
}

/** Only a page shows parts of results. */
function planParts(draft: ToolDraft, environment: Environment): ResultParts | undefined {
  const { outputSchema, ui } = draft;
  if (!outputSchema || ui?.resourceUri === undefined) return undefined;
  const write = lazily(() => partWriterOf(outputSchema, draft, environment));
  return {
    write: (part) => write()(part),
    limit: outputLimitOf(draft, environment).limit ?? Number.MAX_SAFE_INTEGER,
    hasItems: lazily(() => planUserMiddleware(draft, environment).length === 0),
  };
}

function checkSchemas(draft: ToolDraft, report: Report): void {
  const { name, inputSchema, outputSchema } = draft;
  if (inputSchema.type !== 'object' && !inputSchema.anyOf && !inputSchema.allOf && !inputSchema.$ref) {
    report(
      'TW_SCHEMA_INVALID',
      `The input schema of "${name}" is not that of an object.`,
      'Give its root the type "object".',
    );
  }
  if (outputSchema) {
    checkReferences(name, outputSchema, report);
    checkPatterns({ what: 'result', draft }, outputSchema, report);
  }
  if (areSoundArguments(inputSchema)) return;
  checkReferences(name, inputSchema, report);
  checkPatterns({ what: 'arguments', draft }, inputSchema, report);
  for (const problem of planParamHeaders(inputSchema).problems) {
    report(
      'TW_HEADER_INVALID',
      `"${name}": ${problem}.`,
      'Correct it: clients drop a tool whose x-mcp-header breaks the rules.',
    );
  }
}

/** All three checks in one walk, for all tools that share a schema. */
const areSoundArguments = oncePerSchema(
  (schema) =>
    findSchemaProblems(schema).length === 0 &&
    findPatternProblems(schema).length === 0 &&
    planParamHeaders(schema).problems.length === 0,
);

function checkUi({ name, ui, inputSchema, outputSchema }: ToolDraft, report: Report): void {
  if (ui === undefined) return;
  for (const { what, fix } of [
    ...findToolUiProblems(ui),
    ...findSensitiveProblems(ui, [inputSchema, outputSchema]),
  ])
    report('TW_APP_INVALID', `The option ui of "${name}": ${what}.`, fix);
  const { resourceUri } = ui;
  const problem = resourceUri === undefined ? undefined : findAppUriProblem(resourceUri);
  if (problem)
    report(
      'TW_URI_INVALID',
      `The option ui of "${name}": ${problem}.`,
      'Name the uri of an @McpApp, such as "ui://weather/chart".',
    );
}

/** True when the schema accepts only objects, as far as its root shows. */
export function isObjectSchema(schema: JsonSchema): boolean {
  return (referredSchema(schema, schema).type ?? schema.type) === 'object';
}
