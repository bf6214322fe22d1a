import { pointerToken, pointerTokens } from '../../base/json-pointer.js';
import type { JsonSchema } from '@toolwright/manifest';
import type { ErrorObject } from 'ajv';
import { expectation } from './expectation.js';

/** One problem of a value, in words that a model can act on. */
export interface Problem {
  /** The JSON pointer of the wrong value. */
  readonly pointer: string;
  /** What was expected there, such as `at least 1`. */
  readonly expected: string;
  /** The wrong value. It is absent if something is missing, or if the value must not be repeated. */
  readonly received?: { value: unknown };
  /** The keyword of the schema that the value breaks. */
  readonly keyword: string;
  /** `expected` is a sentence of the author or of class-validator, and is sent unchanged. */
  readonly isSentence?: boolean;
  /** The value must not be repeated, whatever the schema says. */
  readonly sensitive?: boolean;
}

/** Ajv's keywords and class-validator's names for checks with patterns. */
const matching = new Set(['pattern', 'format', 'matches']);

/** Says that a text may be too long, if the budget of a check was used up. */
export function tellTooLong(problem: Problem): Problem {
  return matching.has(problem.keyword)
    ? { ...problem, expected: `${problem.expected}, and shorter: it would take too long to tell` }
    : problem;
}

/** Turns Ajv's errors for `value` into problems. For a union, only the nearest alternative is reported. */
export function problemsOf(errors: readonly ErrorObject[], value: unknown): Problem[] {
  const kept = resolveUnions(errors).filter(({ keyword }) => !consequences.has(keyword));
  const problems = (kept.length ? kept : errors).map((error) => problemOf(error, value));
  const seen = new Set<string>();
  return problems.filter(({ pointer, expected }) => {
    const key = `${pointer} ${expected}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Keywords that only repeat that something inside them failed. */
const consequences = new Set(['if', 'propertyNames']);

function problemOf(error: ErrorObject, root: unknown): Problem {
  const { keyword, instancePath, params } = error;
  const missing = keyword === 'required' || keyword === 'dependentRequired';
  const extra = keyword === 'additionalProperties' || keyword === 'unevaluatedProperties';
  const name = missing
    ? (params as { missingProperty: string }).missingProperty
    : extra
      ? String(
          (params as Record<string, string>).additionalProperty ??
            (params as Record<string, string>).unevaluatedProperty,
        )
      : undefined;
  const pointer = name === undefined ? instancePath : `${instancePath}/${pointerToken(name)}`;
  const expected = expectation(error);
  const silent = missing || extra;
  return silent
    ? { pointer, expected, keyword }
    : { pointer, expected, keyword, received: { value: valueAt(root, instancePath) } };
}

/**
 * For each failed union, keeps the errors of one alternative: the one with the fewest errors. An alternative
 * whose type or constant does not match does not count as near. Alternatives that differ only in their type
 * become one expectation.
 */
function resolveUnions(errors: readonly ErrorObject[]): ErrorObject[] {
  let kept = [...errors];
  for (const union of errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')) {
    const alternatives = ((union.parentSchema as JsonSchema | undefined)?.[union.keyword] ??
      []) as JsonSchema[];
    // If Ajv followed a reference itself, the path starts again there.
    const prefixes = alternatives.map(({ $ref }, index) => [$ref, `${union.schemaPath}/${index}`]);
    const own = (error: ErrorObject, beginnings: readonly (string | undefined)[]) =>
      error !== union &&
      error.instancePath.startsWith(union.instancePath) &&
      beginnings.some((prefix) => error.schemaPath === prefix || error.schemaPath.startsWith(`${prefix}/`));
    const branches = prefixes
      .map((beginnings) => kept.filter((error) => own(error, beginnings)))
      .filter((branch) => branch.length > 0);
    const inside = new Set(branches.flat());
    const close = branches.filter((branch) => !branch.some((error) => isMismatch(error, union.instancePath)));
    const best = close.sort((a, b) => a.length - b.length)[0];
    kept = kept.filter((error) => !inside.has(error) && (best === undefined || error !== union));
    if (best) kept.push(...best);
  }
  return kept;
}

/** Whether the error shows that the value is not meant to be this alternative. */
function isMismatch({ keyword, instancePath }: ErrorObject, at: string): boolean {
  if (keyword === 'const') return instancePath.slice(at.length).split('/').length <= 2;
  return instancePath === at && (keyword === 'type' || keyword === 'enum');
}

function valueAt(root: unknown, pointer: string): unknown {
  return pointerTokens(pointer).reduce<unknown>(
    (value, token) => (value as Record<string, unknown> | undefined)?.[token],
    root,
  );
}
