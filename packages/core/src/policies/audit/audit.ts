import type { ResourceResult, ToolResult } from '@toolwright/ground/base/content';
import { factsOf } from '@toolwright/ground/base/operation-kinds';
import { type OptionSchema, parseOptions } from '@toolwright/ground/base/options/option-schema';
import { listOf, oneOf, text } from '@toolwright/ground/base/options/rules';
import type { Environment } from '@toolwright/ground/call/environment';
import { type AnyDraft, contractOf } from '@toolwright/ground/call/operation/draft';
import type { AuditMode } from '@toolwright/ground/ports/audit-sink';
import { copyData, type JsonSchema, HIDDEN, sensitiveParts, type SensitiveParts } from '@toolwright/json';
import { definePolicy } from '../define-policy.js';
import type { BuiltInGuard, BuiltInStep } from '../guard.js';
import { isFlat } from '../validate.js';
import { type AuditPlan, recordCalls } from './audit-calls.js';

export interface AuditOptions {
  /**
   * `'strict'`: the intent is stored durably before the tool runs, and the outcome before the reply is sent.
   * If the log does not work, the call is refused. `'buffered'`: records are written soon. Default: strict
   * where the author wrote `destructiveHint: true`, buffered elsewhere.
   */
  mode?: AuditMode;
  /**
   * The arguments whose values may be stored as plain text. Of all other arguments, only a keyed hash is
   * stored.
   */
  include?: readonly string[];
}

const auditOptions = {
  mode: oneOf('strict', 'buffered'),
  include: listOf('a list of names of arguments', text),
} satisfies OptionSchema<AuditOptions>;

/**
 * How calls are recorded. `false` turns the recording off.
 *
 * @example
 * @McpTool()
 * @Audit({ mode: 'strict', include: ['pageId'] }) async publish(pageId: string) { … }
 */
export const Audit = definePolicy('audit', {
  parse: (options: AuditOptions | false): AuditOptions | false =>
    options && parseOptions('@Audit', auditOptions, options),
});

function planRecords(
  operation: AuditPlan['operation'],
  draft: AnyDraft,
  { audit }: Environment,
): BuiltInStep | undefined {
  const policy = Audit.of(draft);
  if (!audit || policy?.options === false) return undefined;
  const { mode, include = [] } = policy?.options || {};
  const byAnnotation = draft.annotations.destructiveHint === true;
  const plan: AuditPlan = {
    sink: audit,
    operation,
    mode: mode ?? (byAnnotation ? 'strict' : 'buffered'),
    include: declaredOf(include, draft.inputSchema),
    ...planHiding(operation, draft),
    contract: contractOf(draft) ?? '',
    isDeprecated: ('deprecation' in draft && draft.deprecation !== undefined) || draft.isOutdated,
  };
  return {
    origin: mode ? policy!.origin : byAnnotation ? 'annotations' : 'default',
    detail: plan.mode,
    step: recordCalls(plan),
  };
}

/**
 * An argument that the operation does not have may contain anything. It must not be stored as plain text when
 * its call is refused.
 */
function declaredOf(include: readonly string[], schema: JsonSchema | undefined): readonly string[] {
  const { properties = {}, additionalProperties } = schema ?? {};
  return additionalProperties === false ? include.filter((name) => Object.hasOwn(properties, name)) : include;
}

/**
 * Sensitive values never reach a sink: neither as plain text, nor in what is hashed, because a hash can be
 * guessed.
 */
function planHiding(
  operation: AuditPlan['operation'],
  draft: AnyDraft,
): Pick<AuditPlan, 'showArguments' | 'hideResult'> {
  const parts = draft.inputSchema && sensitiveParts(draft.inputSchema);
  const { outputSchema } = draft as { outputSchema?: JsonSchema };
  const hideResult = outputSchema
    ? planResultHiding(outputSchema)
    : parts && factsOf(draft).answer === 'contents' && operation !== 'completion'
      ? hideUris
      : undefined;
  return {
    showArguments: parts
      ? hidingIn(parts, operation)
      : isFlat(draft.inputSchema ?? {})
        ? undefined
        : copyData,
    ...(hideResult && { hideResult }),
  };
}

type Arguments = Readonly<Record<string, unknown>>;

function hidingIn(parts: SensitiveParts, operation: AuditPlan['operation']): (args: Arguments) => Arguments {
  const hide = (value: unknown) => parts.hide(value) as Arguments;
  return operation === 'completion' ? (args) => hideCompletion(args, hide) : hide;
}

/** The URIs of contents contain the variables of the template. */
function hideUris(result: unknown): unknown {
  const contents = (result as ResourceResult | undefined)?.contents;
  return contents
    ? { ...(result as ResourceResult), contents: contents.map((each) => ({ ...each, uri: HIDDEN })) }
    : result;
}

/** Hides the argument that is completed, and the known ones, as a call would hide them. */
function hideCompletion(given: Arguments, hide: (value: unknown) => Arguments): Arguments {
  const { argument, value, known, ...rest } = given;
  const name = String(argument);
  return { ...rest, argument, value: hide({ [name]: value })[name], known: hide(known) };
}

/**
 * Records calls. It is the outermost guard, so that refused calls are recorded, too. What is
 * recorded is planned here, once for each operation; `audit-calls.ts` records.
 */
export const auditGuard: BuiltInGuard = {
  name: 'audit',
  position: 10,
  summary: 'Records the call and how it ended.',
  decorators: { Audit },
  plan: (draft, environment) => planRecords(draft.kind, draft, environment),
  planCompletion: (draft, environment) => planRecords('completion', draft, environment),
  planBackground: (draft, environment, noun) => planRecords(noun, draft, environment),
};

/** Removes sensitive values from results. Returns `undefined` when the schema has none. */
function planResultHiding(schema: JsonSchema): ((result: unknown) => unknown) | undefined {
  const parts = sensitiveParts(schema);
  if (!parts) return undefined;
  return (result) => {
    if (typeof result !== 'object' || result === null) return result;
    const { content, structuredContent, ...rest } = result as Partial<ToolResult>;
    if ((result as ToolResult).isError) return result;
    return {
      ...rest,
      // Texts repeat the structured content, so they are replaced, too.
      ...(content && {
        content: content.map((block) => (block.type === 'text' ? { ...block, text: HIDDEN } : block)),
      }),
      ...(structuredContent !== undefined && { structuredContent: parts.hide(structuredContent) }),
    };
  };
}
