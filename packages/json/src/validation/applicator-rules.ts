import type { JsonSchema } from '../schema/json-schema.js';
import { isUndecided } from './check-budget.js';
import { EvaluatedParts } from './evaluated-parts.js';
import {
  collecting,
  every,
  fail,
  forget,
  inside,
  type Place,
  type Rule,
  silently,
} from './validation-run.js';

/** Rules that check the same value with other schemas, in the order in which problems are reported. */
export const ofAllByOthers: readonly (readonly [keyword: string, rule: Rule])[] = [
  ['not', isNot],
  ['anyOf', fitsAny],
  ['oneOf', fitsOne],
  ['allOf', fitsEach],
  ['if', fitsBranch],
];

function isNot(value: unknown, schema: JsonSchema, place: Place): boolean {
  const { run } = place;
  // What a schema describes that must not match does not count.
  const silent = run.problems || place.evaluated ? silently(place) : place;
  return (
    (!run.judge(value, schema.not!, silent) && !isUndecided(run.source)) ||
    fail(place, { keyword: 'not', message: 'must NOT be valid' }, schema)
  );
}

function fitsAny(value: unknown, schema: JsonSchema, place: Place): boolean {
  const { run, evaluated } = place;
  const before = run.problems?.length;
  const options = schema.anyOf!;
  let fits = false;
  for (let index = 0; index < options.length; index++) {
    const parts = evaluated && new EvaluatedParts();
    const at = optionAt(place, ['anyOf', index], options.length);
    if (!fitsOption(value, options[index]!, { place: at, parts })) continue;
    fits = true;
    if (!parts) break;
    // Each alternative that matches describes parts of the value.
    evaluated!.add(parts);
  }
  if (!fits) return fail(place, { keyword: 'anyOf' }, schema);
  forget(place, before);
  return true;
}

function fitsOne(value: unknown, schema: JsonSchema, place: Place): boolean {
  const { run, evaluated } = place;
  const before = run.problems?.length;
  let passing: number | undefined;
  let described: EvaluatedParts | undefined;
  const options = schema.oneOf!;
  for (let index = 0; index < options.length; index++) {
    const parts = evaluated && new EvaluatedParts();
    const at = optionAt(place, ['oneOf', index], options.length);
    if (!fitsOption(value, options[index]!, { place: at, parts })) continue;
    if (passing !== undefined)
      return fail(place, { keyword: 'oneOf', params: { passingSchemas: [passing, index] } }, schema);
    passing = index;
    described = parts;
  }
  if (passing === undefined)
    return fail(place, { keyword: 'oneOf', params: { passingSchemas: null } }, schema);
  if (described) evaluated!.add(described);
  forget(place, before);
  return true;
}

/** Which of more alternatives is the nearest one is not asked: recording what is wrong with each takes as long as a check. */
const MOST_RECORDED = 200;

function optionAt(place: Place, path: Place['schema'], count: number): Place {
  return place.run.problems && count > MOST_RECORDED ? silently(place) : inside(place, path);
}

/** @param parts gets what the alternative describes, which only counts if it matches */
function fitsOption(
  value: unknown,
  option: JsonSchema | boolean,
  { place, parts }: { place: Place; parts: EvaluatedParts | undefined },
): boolean {
  return place.run.judge(value, option, parts ? collecting(place, parts) : place);
}

function fitsEach(value: unknown, schema: JsonSchema, place: Place): boolean {
  const { run } = place;
  return every(schema.allOf!.entries(), place, ([index, each]) =>
    run.judge(value, each, inside(place, ['allOf', index])),
  );
}

function fitsBranch(value: unknown, schema: JsonSchema, place: Place): boolean {
  const { run, evaluated } = place;
  const { if: condition, then: yes, else: no } = schema as Record<string, JsonSchema | boolean | undefined>;
  const parts = evaluated && new EvaluatedParts();
  const silent = run.problems ? silently(place) : place;
  const isMet = fitsOption(value, condition!, { place: silent, parts });
  if (parts && isMet) evaluated.add(parts);
  const [failingKeyword, branch] = isMet ? (['then', yes] as const) : (['else', no] as const);
  // If the condition could not be checked to its end, nobody knows which branch it asks for.
  const fits =
    (isMet || !isUndecided(run.source)) &&
    (branch === undefined || run.judge(value, branch, inside(place, [failingKeyword])));
  return fits || fail(place, { keyword: 'if', params: { failingKeyword } }, schema);
}
