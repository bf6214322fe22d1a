import { referenceName } from '../schema/references.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { isPresent } from './assertion-rules.js';
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

/** Rules that check a value with other schemas, in the order in which Ajv reports mistakes. */
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
  const { judging } = place;
  const name = referenceName(schema);
  const target = name === undefined ? undefined : judging.definitions[name];
  // Ajv follows references to other documents, and reports references to nothing.
  if (!target) throw new UnknownKeywordError();
  if (judging.maker === 'caller') visits.take();
  return judging.judge(value, target, inside(place, ['$ref']));
}

function isNot(value: unknown, schema: JsonSchema, place: Place): boolean {
  const { judging } = place;
  const silent = judging.mistakes ? silently(judging) : place;
  return (
    (!judging.judge(value, schema.not!, silent) && !isUndecided(judging.maker)) ||
    fail(place, { keyword: 'not', message: 'must NOT be valid' }, schema)
  );
}

function silently({ definitions, maker, judge }: ValidationRun): Place {
  return { judging: { definitions, maker, judge, all: false }, schema: [] };
}

/**
 * Whether a value is known to be valid. This is for lists and maps, which a caller can make as long as it
 * likes. If only the first mistake is reported, the values before it need no record of mistakes. Recording
 * them for each alternative that does not match took a second for 300,000 items.
 */
function knownToFit({ judging }: Place, part: JsonSchema | boolean): (value: unknown) => boolean {
  if (!judging.mistakes || judging.all) return () => false;
  const verdict = judging.verdictsOf?.(part);
  const place = silently(judging);
  return (value) => verdict?.(value) ?? judging.judge(value, part, place);
}

function fitsAny(value: unknown, schema: JsonSchema, place: Place): boolean {
  const { judging } = place;
  const before = judging.mistakes?.length;
  const options = schema.anyOf!;
  for (let index = 0; index < options.length; index++) {
    if (!judging.judge(value, options[index]!, inside(place, ['anyOf', index]))) continue;
    forget(place, before);
    return true;
  }
  return fail(place, { keyword: 'anyOf' }, schema);
}

function fitsOne(value: unknown, schema: JsonSchema, place: Place): boolean {
  const { judging } = place;
  const before = judging.mistakes?.length;
  let passing: number | undefined;
  const options = schema.oneOf!;
  for (let index = 0; index < options.length; index++) {
    if (!judging.judge(value, options[index]!, inside(place, ['oneOf', index]))) continue;
    if (passing !== undefined)
      return fail(place, { keyword: 'oneOf', params: { passingSchemas: [passing, index] } }, schema);
    passing = index;
  }
  if (passing === undefined)
    return fail(place, { keyword: 'oneOf', params: { passingSchemas: null } }, schema);
  forget(place, before);
  return true;
}

/** A mistake does not count if another alternative matches. */
function forget({ judging }: Place, before: number | undefined): void {
  if (judging.mistakes && before !== undefined) judging.mistakes.length = before;
}

function fitsEach(value: unknown, schema: JsonSchema, place: Place): boolean {
  const { judging } = place;
  return every(schema.allOf!.entries(), place, ([index, each]) =>
    judging.judge(value, each, inside(place, ['allOf', index])),
  );
}

function fitsBranch(value: unknown, schema: JsonSchema, place: Place): boolean {
  const { judging } = place;
  const { if: condition, then: yes, else: no } = schema as Record<string, JsonSchema | boolean | undefined>;
  const isMet = judging.judge(value, condition!, judging.mistakes ? silently(judging) : place);
  const [failingKeyword, branch] = isMet ? (['then', yes] as const) : (['else', no] as const);
  // If the condition could not be checked to its end, nobody knows which branch it asks for.
  const fits =
    (isMet || !isUndecided(judging.maker)) &&
    (branch === undefined || judging.judge(value, branch, inside(place, [failingKeyword])));
  return fits || fail(place, { keyword: 'if', params: { failingKeyword } }, schema);
}

function beginsWith(items: readonly unknown[], schema: JsonSchema, place: Place): boolean {
  const { judging } = place;
  return every(schema.prefixItems!.slice(0, items.length).entries(), place, ([index, each]) =>
    judging.judge(items[index], each, inside(place, ['prefixItems', index], index)),
  );
}

function goesOnWith(items: readonly unknown[], schema: JsonSchema, place: Place): boolean {
  const { judging } = place;
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
    if (isRight(items[index]) || judging.judge(items[index], item, inside(place, ['items'], index))) continue;
    fits = false;
    if (!judging.all) break;
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
      place.judging.judge(name, names, at) ||
      fail(place, { keyword: 'propertyNames', params: { propertyName: name } }, schema),
  );
}

function hasNoOthersThan(object: object, schema: JsonSchema, place: Place): boolean {
  const { additionalProperties: others, properties = {}, patternProperties = {} } = schema;
  if (others === true || others === undefined) return true;
  const { judging } = place;
  const patterns = Object.keys(patternProperties).map((each) => matcherOf(schema, each, judging.maker));
  const isRight = knownToFit(place, others);
  return every(Object.keys(object), place, (name) => {
    if (isDeclared(properties, name) || patterns.some((pattern) => pattern.test(name))) return true;
    if (others === false)
      return fail(place, { keyword: 'additionalProperties', params: { additionalProperty: name } }, schema);
    const value = (object as Record<string, unknown>)[name];
    return isRight(value) || judging.judge(value, others, inside(place, ['additionalProperties'], name));
  });
}

/** Ajv ignores `__proto__`, because every object has it. */
function isDeclared(properties: object, name: string): boolean {
  return name !== '__proto__' && Object.hasOwn(properties, name);
}

function hasFittingProperties(object: object, schema: JsonSchema, place: Place): boolean {
  const { judging } = place;
  return every(Object.keys(schema.properties!), place, (name) => {
    if (name === '__proto__' || !isPresent(object, name)) return true;
    const value = (object as Record<string, unknown>)[name];
    return judging.judge(value, schema.properties![name]!, inside(place, ['properties', name], name));
  });
}

function hasFittingNames(object: object, schema: JsonSchema, place: Place): boolean {
  const { judging } = place;
  return every(Object.entries(schema.patternProperties!), place, ([pattern, each]) => {
    const matcher = matcherOf(schema, pattern, judging.maker);
    const isRight = knownToFit(place, each);
    return every(Object.keys(object), place, (name) => {
      if (!matcher.test(name)) {
        const at = () => inside(place, ['patternProperties', pattern], name);
        return !isUndecided(judging.maker) || fail(at(), { keyword: 'pattern', params: { pattern } }, schema);
      }
      const value = (object as Record<string, unknown>)[name];
      return (
        isRight(value) || judging.judge(value, each, inside(place, ['patternProperties', pattern], name))
      );
    });
  });
}

/**
 * Whether all fit. After the first one that does not, the others are only checked if all mistakes are
 * reported.
 */
function every<T>(all: Iterable<T>, { judging }: Place, fits: (each: T) => boolean): boolean {
  let result = true;
  for (const each of all) {
    if (fits(each)) continue;
    result = false;
    if (!judging.all) break;
  }
  return result;
}
