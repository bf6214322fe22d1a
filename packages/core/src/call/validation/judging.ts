import type { JsonSchema } from '@toolwright/manifest';
import type { ErrorObject } from 'ajv';
import type { Maker } from './check-budget.js';
import { TooManyVisitsError } from './visit-budget.js';

/** One look at a value by a schema, without compiled code. */
export interface Judging {
  /** What references mean. */
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  readonly maker: Maker;
  /** What is wrong; absent where only the verdict is asked for. */
  readonly mistakes?: Mistake[];
  /** Goes on after the first mistake. */
  readonly all: boolean;
  readonly judge: Judge;
  /** Fast verdicts on values of one part of the schema; undefined where they cannot be given, or not for one value. */
  readonly verdictsOf?: ((part: JsonSchema | boolean) => Verdict | undefined) | undefined;
}

export type Verdict = (value: unknown) => boolean | undefined;

export type Judge = (value: unknown, schema: JsonSchema | boolean, place: Place) => boolean;

/** Where a look has got to: so far from an outer place. Paths are written for what is told, which is little of it. */
export interface Place {
  readonly judging: Judging;
  readonly outer?: Place;
  readonly schema: readonly (string | number)[];
  readonly value?: string | number | undefined;
}

/** Whether a value has what one keyword asks for. */
export type Rule<T = unknown> = (value: T, schema: JsonSchema, place: Place) => boolean;

/** A schema has a keyword that is for Ajv to judge. */
export class UnknownKeywordError extends Error {}

/** What is told of a failed keyword. */
interface Failure {
  readonly keyword: string;
  readonly params?: object | undefined;
  readonly message?: string | undefined;
}

/** A keyword that failed, and where. */
interface Mistake extends Failure {
  readonly place: Place;
  readonly parentSchema: JsonSchema | undefined;
}

/** Nobody reads so many, and to compare them would take too long. */
const MAX_MISTAKES = 20_000;

/**
 * Notes what is wrong.
 *
 * @returns false
 * @throws {TooManyVisitsError} for more than anybody would be told
 */
export function fail(place: Place, failure: Failure, parentSchema: JsonSchema | undefined): boolean {
  const { mistakes } = place.judging;
  if (!mistakes) return false;
  // Spreading took half the time of a small look.
  const { keyword, params, message } = failure;
  if (mistakes.push({ keyword, params, message, place, parentSchema }) > MAX_MISTAKES)
    throw new TooManyVisitsError();
  return false;
}

/** A place further inside. Nobody asks where it is unless mistakes are told. */
export function inside(place: Place, schema: Place['schema'], value?: string | number): Place {
  const { judging } = place;
  return judging.mistakes ? { judging, outer: place, schema, value } : place;
}

/** As Ajv says it. */
export function asError({ place, keyword, params = {}, message, parentSchema }: Mistake): ErrorObject {
  let instancePath = '';
  let schemaPath = `/${keyword}`;
  for (let at: Place | undefined = place; at?.outer; at = at.outer) {
    if (at.value !== undefined) instancePath = `/${pointerStep(at.value)}${instancePath}`;
    for (let index = at.schema.length - 1; index >= 0; index--)
      schemaPath = `/${pointerStep(at.schema[index]!)}${schemaPath}`;
  }
  const error: ErrorObject = { keyword, params, instancePath, schemaPath: `#${schemaPath}` };
  if (message !== undefined) error.message = message;
  if (parentSchema) error.parentSchema = parentSchema;
  return error;
}

/** A name as JSON pointers write it. */
function pointerStep(name: string | number): string {
  if (typeof name === 'number' || !/[~/]/.test(name)) return String(name);
  return name.replace(/~/g, '~0').replace(/\//g, '~1');
}
