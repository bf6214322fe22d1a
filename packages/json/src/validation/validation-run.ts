import { pointerToken } from '../values/json-values.js';
import type { JsonSchema } from '../schema/json-schema.js';
import type { ErrorObject } from 'ajv';
import { type ValueSource, TooManyVisitsError } from './check-budget.js';

/** One check of a value against a schema, without compiled code. */
export interface ValidationRun {
  /** The definitions that references point to. */
  readonly definitions: Readonly<Record<string, JsonSchema>>;
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
  readonly outer?: Place;
  readonly schema: readonly (string | number)[];
  readonly value?: string | number | undefined;
}

/** True when the value has what one keyword asks for. */
export type Rule<T = unknown> = (value: T, schema: JsonSchema, place: Place) => boolean;

/** The schema has a keyword that only Ajv can check. */
export class UnknownKeywordError extends Error {}

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

/** Nobody reads this many problems, and comparing them would take too long. */
const MAX_PROBLEMS = 20_000;

/**
 * Records a problem.
 *
 * @returns false
 * @throws {TooManyVisitsError} when there are more problems than any report shows
 */
export function fail(place: Place, failure: RuleProblem, parentSchema: JsonSchema | undefined): boolean {
  const { problems } = place.run;
  if (!problems) return false;
  // Spreading the object took half the time of a small check.
  const { keyword, params, message } = failure;
  if (problems.push({ keyword, params, message, place, parentSchema }) > MAX_PROBLEMS)
    throw new TooManyVisitsError();
  return false;
}

/** A place further inside. Its path is only needed when problems are reported. */
export function inside(place: Place, schema: Place['schema'], value?: string | number): Place {
  const { run } = place;
  return run.problems ? { run, outer: place, schema, value } : place;
}

/** The problem in the form of Ajv's errors. */
export function asError({ place, keyword, params = {}, message, parentSchema }: FoundProblem): ErrorObject {
  let instancePath = '';
  let schemaPath = `/${keyword}`;
  for (let at: Place | undefined = place; at?.outer; at = at.outer) {
    if (at.value !== undefined) instancePath = `/${pointerToken(String(at.value))}${instancePath}`;
    for (let index = at.schema.length - 1; index >= 0; index--)
      schemaPath = `/${pointerToken(String(at.schema[index]))}${schemaPath}`;
  }
  const error: ErrorObject = { keyword, params, instancePath, schemaPath: `#${schemaPath}` };
  if (message !== undefined) error.message = message;
  if (parentSchema) error.parentSchema = parentSchema;
  return error;
}
