import { pointerToken, pointerTokens } from '../../base/json-pointer.js';
import type { JsonSchema } from '@toolwright/manifest';
import type { ErrorObject } from 'ajv';
import { expectation } from './expectation.js';
import { isUnion, nearestErrors } from './nearest-alternative.js';

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

/** Replaces the errors of each failed union by those of its nearest alternative. */
function resolveUnions(errors: readonly ErrorObject[]): ErrorObject[] {
  let kept = [...errors];
  for (const union of errors.filter(isUnion)) {
    const byAlternative = new Map<number, ErrorObject[]>();
    for (const error of kept) {
      const index = error === union ? -1 : alternativeOf(error, union);
      if (index < 0) continue;
      const branch = byAlternative.get(index);
      if (branch) branch.push(error);
      else byAlternative.set(index, [error]);
    }
    const branches = [...byAlternative].sort(([a], [b]) => a - b).map(([, branch]) => branch);
    const inside = new Set(branches.flat());
    const said = nearestErrors(branches, union);
    kept = kept.filter((error) => !inside.has(error) && (said === undefined || error !== union));
    if (said) kept.push(...said);
  }
  return kept;
}

/** The index of the alternative that an error is from; -1 if it is not from the union. */
function alternativeOf({ instancePath, schemaPath }: ErrorObject, union: ErrorObject): number {
  if (!instancePath.startsWith(union.instancePath)) return -1;
  const prefix = `${union.schemaPath}/`;
  if (schemaPath.startsWith(prefix)) return Number.parseInt(schemaPath.slice(prefix.length), 10);
  const alternatives = ((union.parentSchema as JsonSchema | undefined)?.[union.keyword] ??
    []) as JsonSchema[];
  // If Ajv followed a reference itself, the path starts again there.
  return alternatives.findIndex(
    ({ $ref }) => $ref === schemaPath || ($ref && schemaPath.startsWith(`${$ref}/`)),
  );
}

function valueAt(root: unknown, pointer: string): unknown {
  return pointerTokens(pointer).reduce<unknown>(
    (value, token) => (value as Record<string, unknown> | undefined)?.[token],
    root,
  );
}
