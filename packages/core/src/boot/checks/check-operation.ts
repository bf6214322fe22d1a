import type { JsonSchema } from '@toolwright/manifest';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import type { BoundOperation } from '../../call/operation/operation.js';
import {
  locationOf,
  type AnyDraft as AnyPublished,
  type Draft,
  type ResourceDraft,
  type ResourceTemplateDraft,
  type ToolDraft,
} from '../../call/operation/draft.js';
import { planParamHeaders } from '../../protocol/headers/param-headers.js';
import { oncePerSchema } from '../../base/schema/once-per-schema.js';
import { findPatternFaults, PATTERN_FIX } from '../../base/schema/find-pattern-faults.js';
import { findSchemaFaults } from './check-schema.js';
import { findAppFaults, findToolUiFaults } from './check-app.js';
import { findAppUriFault, findTemplateFault, findUriFault } from './check-uri.js';
import { findHiddenText } from './find-hidden-text.js';
import { publishedForm } from './published-form.js';
import { showHidden } from './unsafe-text.js';

/**
 * The names that can be published. The specification allows 128 characters and `/`, but some clients do not.
 */
const validName = /^[A-Za-z0-9_.-]{1,64}$/;

type AnyDraft = Draft<BoundOperation> & { kind: BoundOperation['kind'] };

/**
 * Finds everything in an operation that must not be published, or because of which clients would ignore it.
 *
 * @param problems the found problems are added here
 * @param inputs schema of the arguments, for kinds that do not publish one
 */
export function checkOperation(draft: AnyDraft, problems: ConfigurationProblem[], inputs?: JsonSchema): void {
  const report = (code: ConfigurationProblem['code'], message: string, fix: string) =>
    problems.push({ code, message, fix, ...locationOf(draft) });
  checkTexts(draft, report);
  if (draft.kind === 'tool') {
    checkSchemas(draft as ToolDraft, report);
    checkToolUi(draft as ToolDraft, report);
  } else if (inputs) checkPatterns({ what: 'arguments', draft }, inputs, report);
  if (draft.kind === 'resource') checkUri(draft as ResourceDraft, report);
  if (draft.kind === 'resourceTemplate') checkTemplate(draft as ResourceTemplateDraft, inputs, report);
}

type Report = (code: ConfigurationProblem['code'], message: string, fix: string) => void;

function checkTexts(draft: AnyDraft, report: Report): void {
  const { kind, name } = draft;
  if ((kind === 'tool' || kind === 'prompt') && !validName.test(name)) {
    report(
      'TW_NAME_INVALID',
      `"${showHidden(name)}" cannot name a ${kind}.`,
      'Use 1 to 64 of the characters A-Z a-z 0-9 _ . -',
    );
  }
  for (const { place, character } of findHiddenText(publishedForm(draft as AnyPublished))) {
    report(
      'TW_TEXT_HIDDEN',
      `The ${kind} "${showHidden(name)}" has the hidden character ${character} in its ${place}.`,
      'Remove it, because models read it and reviewers cannot see it.',
    );
  }
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
    findSchemaFaults(schema).length === 0 &&
    findPatternFaults(schema).length === 0 &&
    planParamHeaders(schema).problems.length === 0,
);

function checkReferences(name: string, schema: JsonSchema, report: Report): void {
  for (const { what, fix } of findSchemaFaults(schema))
    report('TW_SCHEMA_INVALID', `A schema of "${name}": ${what}.`, fix);
}

/** Patterns of results count, too, because a method may repeat what a caller wrote. */
function checkPatterns(
  { what, draft: { kind, name } }: { what: 'arguments' | 'result'; draft: AnyDraft },
  schema: JsonSchema,
  report: Report,
): void {
  for (const fault of findPatternFaults(schema))
    report('TW_PATTERN_UNSAFE', `In the ${what} of the ${kind} "${name}", ${fault}.`, PATTERN_FIX);
}

function checkUri({ name, uri, ui }: ResourceDraft, report: Report): void {
  const fault = findUriFault(uri) ?? (ui && findAppUriFault(uri));
  const example = ui ? 'ui://weather/chart' : 'config://app';
  if (fault)
    report('TW_URI_INVALID', `The resource "${name}": ${fault}.`, `Give it a URI such as "${example}".`);
  for (const { what, fix } of ui ? findAppFaults(ui) : [])
    report('TW_APP_INVALID', `The app "${name}": ${what}.`, fix);
}

function checkToolUi({ name, ui }: ToolDraft, report: Report): void {
  if (ui === undefined) return;
  for (const { what, fix } of findToolUiFaults(ui))
    report('TW_APP_INVALID', `The option ui of "${name}": ${what}.`, fix);
  const { resourceUri } = ui;
  const fault = resourceUri === undefined ? undefined : findAppUriFault(resourceUri);
  if (fault)
    report(
      'TW_URI_INVALID',
      `The option ui of "${name}": ${fault}.`,
      'Name the uri of an @McpApp, such as "ui://weather/chart".',
    );
}

function checkTemplate(
  { name, uriTemplate }: ResourceTemplateDraft,
  inputs: JsonSchema | undefined,
  report: Report,
): void {
  const known = inputs && { known: Object.keys(inputs.properties ?? {}), required: inputs.required ?? [] };
  const fault = findTemplateFault(uriTemplate, known);
  if (!fault) return;
  const message = `The URI template "${String(uriTemplate)}" of "${name}" cannot be used: ${fault}.`;
  const malformed = findTemplateFault(uriTemplate, undefined) !== undefined;
  report(
    'TW_URI_INVALID',
    message,
    malformed
      ? 'Write it by RFC 6570, such as "note://{id}".'
      : 'Name the parameters of the method like the variables of the template (RFC 6570).',
  );
}
