import { pointerToken } from '../base/json-values.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { type ValueSource, TooManyStepsError } from './check-budget.js';
import type { EvaluatedParts } from './evaluated-parts.js';
import type { ReferenceScope } from './reference-scope.js';

/** One check of a value against a schema. */
export interface ValidationRun {
  /** The whole schema, in which references are followed. */
  readonly root: JsonSchema;
  /** The definitions that references of the usual form point to. */
  readonly definitions: Readonly<Record<string, JsonSchema | boolean>>;
  readonly source: ValueSource;
  /** The problems that were found. Absent when only the verdict is asked for. */
  readonly problems?: FoundProblem[];
  /** True when the check goes on after the first problem. */
  readonly all: boolean;
  readonly judge: Judge;
}

export type Judge = (value: unknown, schema: JsonSchema | boolean, place: Place) => boolean;

/**
 * The place that a check has reached, relative to an outer place. Paths are written only for reported
 * problems, which are few.
 */
export interface Place {
  readonly run: ValidationRun;
  readonly outer: Place | undefined;
  readonly schema: readonly (string | number)[];
  readonly value: string | number | undefined;
  /** Where references are relative to. Undefined in a document without addresses. */
  readonly scope: ReferenceScope | undefined;
  /** Gets the parts of the value that the schemas describe. Undefined if nothing asks for them. */
  readonly evaluated: EvaluatedParts | undefined;
}

/** True when the value has what one keyword asks for. */
export type Rule<T = unknown> = (value: T, schema: JsonSchema, place: Place) => boolean;

/** A schema that says nothing that can be checked: a reference to nothing, or an unknown type. */
export class UnusableSchemaError extends Error {}

/** What is reported about a failed keyword. */
interface RuleProblem {
  readonly keyword: string;
  readonly params?: object | undefined;
  readonly message?: string | undefined;
}

/** A keyword that failed, and its place. */
interface FoundProblem extends RuleProblem {
  readonly place: Place;
  readonly parentSchema: JsonSchema | undefined;
}

/** A keyword that a value has failed, with paths. Its form is that of Ajv's errors. */
export interface FailedKeyword {
  readonly keyword: string;
  /** What the keyword asked for, and what was found. */
  readonly params: object;
  /** The pointer of the value. */
  readonly instancePath: string;
  readonly schemaPath: string;
  /** Words for keywords that need them. */
  readonly message?: string;
  /** The schema with the keyword. */
  readonly parentSchema?: JsonSchema;
}

/** About 10 ms. Nobody reads this many problems, and comparing them would take too long. */
const MAX_PROBLEMS = 4_000;

/**
 * Records a problem.
 *
 * @returns false
 * @throws {TooManyStepsError} when there are more problems than any report shows
 */
export function fail(place: Place, failure: RuleProblem, parentSchema: JsonSchema | undefined): boolean {
  const { problems } = place.run;
  if (!problems) return false;
  // Spreading the object took half the time of a small check.
  const { keyword, params, message } = failure;
  if (problems.push({ keyword, params, message, place, parentSchema }) > MAX_PROBLEMS)
    throw new TooManyStepsError();
  return false;
}

/** Where a check begins. */
export function startOf(run: ValidationRun): Place {
  return { run, outer: undefined, schema: [], value: undefined, scope: undefined, evaluated: undefined };
}

/**
 * A place further inside the schema. Its path is only needed when problems are reported.
 *
 * @param value where the part of the value is that is checked there; undefined if it is the same value
 */
export function inside(place: Place, schema: Place['schema'], value?: string | number): Place {
  const { run, scope } = place;
  const evaluated = value === undefined ? place.evaluated : undefined;
  if (!run.problems && evaluated === place.evaluated) return place;
  return { run, outer: place, schema, value, scope, evaluated };
}

/** The same place for a check whose problems are not reported, and whose result nothing else counts. */
export function silently({ run, scope }: Place): Place {
  const { root, definitions, source, judge } = run;
  const silent = { root, definitions, source, all: false, judge };
  return { run: silent, outer: undefined, schema: [], value: undefined, scope, evaluated: undefined };
}

/** The same place, but what the schemas describe goes elsewhere. */
export function collecting(place: Place, evaluated: EvaluatedParts | undefined): Place {
  const { run, outer, schema, value, scope } = place;
  return { run, outer, schema, value, scope, evaluated };
}

/** The same place, with another scope of references. */
export function within(place: Place, scope: ReferenceScope): Place {
  if (place.scope === scope) return place;
  const { run, outer, schema, value, evaluated } = place;
  return { run, outer, schema, value, scope, evaluated };
}

/**
 * Whether all fit. After the first one that does not, the others are only checked if all problems are
 * reported.
 */
export function every<T>(all: Iterable<T>, { run }: Place, fits: (each: T) => boolean): boolean {
  let result = true;
  for (const each of all) {
    if (fits(each)) continue;
    result = false;
    if (!run.all) break;
  }
  return result;
}

/**
 * Whether a value is known to be valid. This is for lists and maps, which a caller can make as long as it
 * likes. If only the first problem is reported, the values before it need no record of problems. Recording
 * them for each alternative that does not match took a second for 300,000 items.
 */
export function knownToFit(place: Place, part: JsonSchema | boolean): (value: unknown) => boolean {
  const { run } = place;
  if (!run.problems || run.all) return () => false;
  const silent = silently(place);
  return (value) => run.judge(value, part, silent);
}

/** A problem does not count if another alternative matches. */
export function forget({ run }: Place, before: number | undefined): void {
  if (run.problems && before !== undefined) run.problems.length = before;
}

/** The problem with its paths. */
export function asFailedKeyword(problem: FoundProblem): FailedKeyword {
  const { place, keyword, params = {}, message, parentSchema } = problem;
  let instancePath = '';
  let schemaPath = `/${keyword}`;
  for (let at: Place | undefined = place; at?.outer; at = at.outer) {
    if (at.value !== undefined) instancePath = `/${pointerToken(String(at.value))}${instancePath}`;
    for (let index = at.schema.length - 1; index >= 0; index--)
      schemaPath = `/${pointerToken(String(at.schema[index]))}${schemaPath}`;
  }
  return {
    keyword,
    params,
    instancePath,
    schemaPath: `#${schemaPath}`,
    ...(message !== undefined && { message }),
    ...(parentSchema && { parentSchema }),
  };
}
