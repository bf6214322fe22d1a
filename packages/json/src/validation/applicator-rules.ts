import { oncePerSchema } from '../once.js';
import { referenceName } from '../schema/references.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { isUndecided, matcherOf, visits } from './check-budget.js';
import {
  fail,
  inside,
  UnknownKeywordError,
  type ValidationRun,
  type Place,
  type Rule,
} from './validation-run.js';

type Keywords<T> = readonly (readonly [keyword: string, rule: Rule<T>])[];

/** Rules that check a value with other schemas, in the order in which Ajv reports problems. */
export const ofAllByOthers: Keywords<unknown> = [
  ['not', isNot],
  ['anyOf', fitsAny],
  ['oneOf', fitsOne],
  ['allOf', fitsEach],
  ['if', fitsBranch],
  // `if` checks them. Without it they say nothing.
  ['then', () => true],
  ['else', () => true],
];

export const ofListsByOthers: Keywords<readonly unknown[]> = [
  ['prefixItems', beginsWith],
  ['items', goesOnWith],
];

export const ofObjectsByOthers: Keywords<object> = [
  ['propertyNames', isWellNamed],
  ['additionalProperties', hasNoOthersThan],
  ['properties', hasFittingProperties],
  ['patternProperties', hasFittingNames],
];

export function fitsReference(value: unknown, schema: JsonSchema, place: Place): boolean {
  const { run } = place;
  const name = targetName(schema);
  const target = name === undefined ? undefined : run.definitions[name];
  // Ajv follows references to other documents, and reports references to nothing.
  if (!target) throw new UnknownKeywordError();
  if (run.source === 'caller') visits.take();
  return run.judge(value, target, inside(place, ['$ref']));
}

const targetName = oncePerSchema((schema) => referenceName(schema));

function isNot(value: unknown, schema: JsonSchema, place: Place): boolean {
  const { run } = place;
  const silent = run.problems ? silently(run) : place;
  return (
    (!run.judge(value, schema.not!, silent) && !isUndecided(run.source)) ||
    fail(place, { keyword: 'not', message: 'must NOT be valid' }, schema)
  );
}

function silently({ definitions, source, judge }: ValidationRun): Place {
  return { run: { definitions, source, judge, all: false }, schema: [] };
}

/**
 * Whether a value is known to be valid. This is for lists and maps, which a caller can make as long as it
 * likes. If only the first problem is reported, the values before it need no record of problems. Recording
 * them for each alternative that does not match took a second for 300,000 items.
 */
function knownToFit({ run }: Place, part: JsonSchema | boolean): (value: unknown) => boolean {
  if (!run.problems || run.all) return () => false;
  const place = silently(run);
  return (value) => run.judge(value, part, place);
}

function fitsAny(value: unknown, schema: JsonSchema, place: Place): boolean {
  const { run } = place;
  const before = run.problems?.length;
  const options = schema.anyOf!;
  for (let index = 0; index < options.length; index++) {
    if (!run.judge(value, options[index]!, inside(place, ['anyOf', index]))) continue;
    forget(place, before);
    return true;
  }
  return fail(place, { keyword: 'anyOf' }, schema);
}

function fitsOne(value: unknown, schema: JsonSchema, place: Place): boolean {
  const { run } = place;
  const before = run.problems?.length;
  let passing: number | undefined;
  const options = schema.oneOf!;
  for (let index = 0; index < options.length; index++) {
    if (!run.judge(value, options[index]!, inside(place, ['oneOf', index]))) continue;
    if (passing !== undefined)
      return fail(place, { keyword: 'oneOf', params: { passingSchemas: [passing, index] } }, schema);
    passing = index;
  }
  if (passing === undefined)
    return fail(place, { keyword: 'oneOf', params: { passingSchemas: null } }, schema);
  forget(place, before);
  return true;
}

/** A problem does not count if another alternative matches. */
function forget({ run }: Place, before: number | undefined): void {
  if (run.problems && before !== undefined) run.problems.length = before;
}

function fitsEach(value: unknown, schema: JsonSchema, place: Place): boolean {
  const { run } = place;
  return every(schema.allOf!.entries(), place, ([index, each]) =>
    run.judge(value, each, inside(place, ['allOf', index])),
  );
}

function fitsBranch(value: unknown, schema: JsonSchema, place: Place): boolean {
  const { run } = place;
  const { if: condition, then: yes, else: no } = schema as Record<string, JsonSchema | boolean | undefined>;
  const isMet = run.judge(value, condition!, run.problems ? silently(run) : place);
  const [failingKeyword, branch] = isMet ? (['then', yes] as const) : (['else', no] as const);
  // If the condition could not be checked to its end, nobody knows which branch it asks for.
  const fits =
    (isMet || !isUndecided(run.source)) &&
    (branch === undefined || run.judge(value, branch, inside(place, [failingKeyword])));
  return fits || fail(place, { keyword: 'if', params: { failingKeyword } }, schema);
}

function beginsWith(items: readonly unknown[], schema: JsonSchema, place: Place): boolean {
  const { run } = place;
  return every(schema.prefixItems!.slice(0, items.length).entries(), place, ([index, each]) =>
    run.judge(items[index], each, inside(place, ['prefixItems', index], index)),
  );
}

function goesOnWith(items: readonly unknown[], schema: JsonSchema, place: Place): boolean {
  const { run } = place;
  const { items: item, prefixItems } = schema;
  const first = prefixItems?.length ?? 0;
  if (item === true || item === undefined) return true;
  if (prefixItems && item === false) {
    const message = `must NOT have more than ${first} items`;
    return (
      items.length <= first || fail(place, { keyword: 'items', params: { limit: first }, message }, schema)
    );
  }
  const isRight = knownToFit(place, item);
  let fits = true;
  for (let index = first; index < items.length; index++) {
    if (isRight(items[index]) || run.judge(items[index], item, inside(place, ['items'], index))) continue;
    fits = false;
    if (!run.all) break;
  }
  return fits;
}

function isWellNamed(object: object, schema: JsonSchema, place: Place): boolean {
  const names = schema.propertyNames!;
  const at = inside(place, ['propertyNames']);
  return every(
    Object.keys(object),
    place,
    (name) =>
      place.run.judge(name, names, at) ||
      fail(place, { keyword: 'propertyNames', params: { propertyName: name } }, schema),
  );
}

function hasNoOthersThan(object: object, schema: JsonSchema, place: Place): boolean {
  const { additionalProperties: others, properties, patternProperties } = schema;
  if (others === true || others === undefined) return true;
  const { run } = place;
  const patterns = patternProperties
    ? Object.keys(patternProperties).map((each) => matcherOf(schema, each, run.source))
    : [];
  const isRight = others === false ? undefined : knownToFit(place, others);
  let fits = true;
  for (const name of Object.keys(object)) {
    if (properties && isDeclared(properties, name)) continue;
    if (patterns.some((pattern) => pattern.test(name))) continue;
    if (isRight && others !== false) {
      const value = (object as Record<string, unknown>)[name];
      if (isRight(value) || run.judge(value, others, inside(place, ['additionalProperties'], name))) continue;
    } else fail(place, { keyword: 'additionalProperties', params: { additionalProperty: name } }, schema);
    fits = false;
    if (!run.all) break;
  }
  return fits;
}

/** Ajv ignores `__proto__`, because every object has it. */
function isDeclared(properties: object, name: string): boolean {
  return name !== '__proto__' && Object.hasOwn(properties, name);
}

/** Listing them for each value took a third of the time of a check. */
const namedParts = oncePerSchema((schema) =>
  Object.entries(schema.properties!).filter(([name]) => name !== '__proto__'),
);

function hasFittingProperties(object: object, schema: JsonSchema, place: Place): boolean {
  const { run } = place;
  let fits = true;
  for (const [name, part] of namedParts(schema)) {
    const value = (object as Record<string, unknown>)[name];
    if (value === undefined || !Object.hasOwn(object, name)) continue;
    const at = run.problems ? inside(place, ['properties', name], name) : place;
    if (run.judge(value, part, at)) continue;
    fits = false;
    if (!run.all) break;
  }
  return fits;
}

function hasFittingNames(object: object, schema: JsonSchema, place: Place): boolean {
  const { run } = place;
  return every(Object.entries(schema.patternProperties!), place, ([pattern, each]) => {
    const matcher = matcherOf(schema, pattern, run.source);
    const isRight = knownToFit(place, each);
    return every(Object.keys(object), place, (name) => {
      if (!matcher.test(name)) {
        const at = () => inside(place, ['patternProperties', pattern], name);
        return !isUndecided(run.source) || fail(at(), { keyword: 'pattern', params: { pattern } }, schema);
      }
      const value = (object as Record<string, unknown>)[name];
      return isRight(value) || run.judge(value, each, inside(place, ['patternProperties', pattern], name));
    });
  });
}

/**
 * Whether all fit. After the first one that does not, the others are only checked if all problems are
 * reported.
 */
function every<T>(all: Iterable<T>, { run }: Place, fits: (each: T) => boolean): boolean {
  let result = true;
  for (const each of all) {
    if (fits(each)) continue;
    result = false;
    if (!run.all) break;
  }
  return result;
}
