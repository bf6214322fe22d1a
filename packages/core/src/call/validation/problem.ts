import { pointerToken, pointerTokens } from '../../base/json-pointer.js';
import type { JsonSchema } from '@toolwright/manifest';
import type { ErrorObject } from 'ajv';
import { expectation } from './expectation.js';

/** One thing that is wrong with a value, in words a model can act on. */
export interface Problem {
  /** JSON pointer of the offending value. */
  readonly pointer: string;
  /** What was expected there, such as `at least 1`. */
  readonly expected: string;
  /** The offending value; absent where something is missing, or must not be repeated. */
  readonly received?: { value: unknown };
  /** Keyword of the schema that it breaks. */
  readonly keyword: string;
  /** `expected` is a sentence that the author or class-validator wrote: it is told as it is. */
  readonly isSentence?: boolean;
  /** The value must not be repeated, whatever the schema says. */
  readonly sensitive?: boolean;
}

/** By Ajv's keywords and class-validator's names. */
const matching = new Set(['pattern', 'format', 'matches']);

/** Where the budget of a check was not enough, a text may have been refused for its length alone. */
export function tellTooLong(problem: Problem): Problem {
  return matching.has(problem.keyword)
    ? { ...problem, expected: `${problem.expected}, and shorter: it would take too long to tell` }
    : problem;
}

/** Turns what Ajv reports of `value` into problems; of a union only the alternative that comes closest. */
export function problemsOf(errors: readonly ErrorObject[], value: unknown): Problem[] {
  const kept = resolveUnions(errors).filter(({ keyword }) => !consequences.has(keyword));
  const problems = (kept.length ? kept : errors).map((error) => problemOf(error, value));
  const seen = new Set<string>();
  return problems.filter(({ pointer, expected }) => {
    const key = `${pointer} ${expected}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Keywords that only repeat that something inside of them failed. */
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
 * For each failed union keeps the errors of one alternative: that which fails least, not counting as close one that
 * fails in its very type or in a constant. Alternatives that differ in type alone are merged into one expectation.
 */
function resolveUnions(errors: readonly ErrorObject[]): ErrorObject[] {
  let kept = [...errors];
  for (const union of errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')) {
    const alternatives = ((union.parentSchema as JsonSchema | undefined)?.[union.keyword] ??
      []) as JsonSchema[];
    // References that Ajv followed itself begin the path anew.
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

/** The value is not even meant to be this alternative. */
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
