import type { ConfigurationProblem } from '../errors/configuration-error.js';
import type { BoundOperation } from '../pipeline/operation.js';
import type { Draft } from '../pipeline/plan.js';
import { planParamHeaders } from '../protocol/param-headers.js';
import { findSchemaFaults } from './check-schema.js';
import { findHiddenCharacter } from './unsafe-text.js';

/** What can be published: the specification allows 128 characters and `/`, clients in the field do not. */
const validName = /^[A-Za-z0-9_.-]{1,64}$/;

type AnyDraft = Draft<BoundOperation> & { kind: BoundOperation['kind'] };

/** Everything about an operation that must not be published, or that clients would drop it for. */
export function checkOperation(draft: AnyDraft): ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = [];
  const report = (code: ConfigurationProblem['code'], message: string, fix: string) =>
    problems.push({ code, message, fix, ...(draft.location && { location: draft.location }) });
  checkTexts(draft, report);
  if (draft.kind === 'tool') checkSchemas(draft as Draft<BoundOperation & { kind: 'tool' }>, report);
  return problems;
}

type Report = (code: ConfigurationProblem['code'], message: string, fix: string) => void;

function checkTexts(draft: AnyDraft, report: Report): void {
  const { kind, name } = draft;
  if ((kind === 'tool' || kind === 'prompt') && !validName.test(name)) {
    report(
      'TW_NAME_INVALID',
      `"${name}" cannot name a ${kind}.`,
      'Use 1 to 64 of the characters A-Z a-z 0-9 _ . -',
    );
  }
  const texts = { name, title: draft.title, description: draft.description };
  for (const [what, text] of Object.entries(texts)) {
    const character = text === undefined ? undefined : findHiddenCharacter(text);
    if (!character) continue;
    report(
      'TW_TEXT_HIDDEN',
      `The ${what} of the ${kind} "${name}" has the hidden character ${character}.`,
      'Remove it: a model reads what reviewers cannot see.',
    );
  }
}

function checkSchemas(draft: Draft<BoundOperation & { kind: 'tool' }>, report: Report): void {
  const { name, inputSchema, outputSchema } = draft;
  if (inputSchema.type !== 'object' && !inputSchema.anyOf && !inputSchema.allOf && !inputSchema.$ref) {
    report(
      'TW_SCHEMA_INVALID',
      `The input schema of "${name}" is not that of an object.`,
      'Give its root the type "object".',
    );
  }
  for (const fault of [inputSchema, outputSchema].flatMap((schema) =>
    schema ? findSchemaFaults(schema) : [],
  )) {
    report(
      'TW_SCHEMA_INVALID',
      `A schema of "${name}": ${fault}.`,
      'Write the referenced schema below $defs, in JSON Schema 2020-12.',
    );
  }
  for (const problem of planParamHeaders(inputSchema).problems) {
    report(
      'TW_HEADER_INVALID',
      `"${name}": ${problem}.`,
      'Correct it: clients drop a tool whose x-mcp-header breaks the rules.',
    );
  }
}
