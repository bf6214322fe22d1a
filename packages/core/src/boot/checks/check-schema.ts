import { type JsonSchema, PATTERN_FIX, findPatternProblems, findSchemaProblems } from '@toolwright/json';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import type { AnyDraft } from '../../call/operation/draft.js';

/** Takes a problem of one operation. */
export type Report = (code: ConfigurationProblem['code'], message: string, fix: string) => void;

export function checkReferences(name: string, schema: JsonSchema, report: Report): void {
  for (const { what, fix } of findSchemaProblems(schema))
    report('TW_SCHEMA_INVALID', `A schema of "${name}": ${what}.`, fix);
}

/** Patterns of results count, too, because a method may repeat what a caller wrote. */
export function checkPatterns(
  { what, draft: { kind, name } }: { what: 'arguments' | 'result'; draft: AnyDraft },
  schema: JsonSchema,
  report: Report,
): void {
  for (const problem of findPatternProblems(schema))
    report('TW_PATTERN_UNSAFE', `In the ${what} of the ${kind} "${name}", ${problem}.`, PATTERN_FIX);
}
