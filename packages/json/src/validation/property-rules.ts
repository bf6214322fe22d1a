import type { JsonSchema } from '../schema/json-schema.js';
import { oncePerSchema } from '../schema/once.js';
import { type Keywords, size } from './assertion-rules.js';
import { countSteps, isUndecided, matcherOf } from './check-budget.js';
import { every, fail, inside, knownToFit, type Place, type Rule } from './validation-run.js';

/** Rules that check an object itself, in the order in which problems are reported. */
export const ofObjects: Keywords<object> = [
  size('maxProperties', (object, most) => Object.keys(object).length <= most),
  size('minProperties', (object, least) => Object.keys(object).length >= least),
  [
    'required',
    (object, schema, place) => {
      let fits = true;
      for (const missingProperty of schema.required!) {
        if (isPresent(object, missingProperty)) continue;
        fits = fail(place, { keyword: 'required', params: { missingProperty } }, schema);
        if (!place.run.all) break;
      }
      return fits;
    },
  ],
];

/** Rules that check the properties of an object, in the order in which problems are reported. */
export const ofProperties: Keywords<object> = [
  ['propertyNames', isWellNamed],
  ['additionalProperties', hasNoOthersThan],
  dependents('dependencies'),
  ['properties', hasFittingProperties],
  ['patternProperties', hasFittingNames],
  dependents('dependentRequired'),
  dependents('dependentSchemas'),
];

/** Last, because it asks what all others have described. */
export const ofOtherProperties: Keywords<object> = [['unevaluatedProperties', hasNoUnevaluated]];

const valueOf = (object: object, name: string): unknown => (object as Record<string, unknown>)[name];

/** JSON has no undefined, and the inherited `constructor` of every object is not one of its properties. */
function isPresent(object: object, name: string): boolean {
  return Object.hasOwn(object, name) && valueOf(object, name) !== undefined;
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
  place.evaluated?.addAllNames();
  if (others === true || others === undefined) return true;
  const { run } = place;
  const patterns = patternProperties
    ? Object.keys(patternProperties).map((each) => matcherOf(schema, each, run.source))
    : [];
  const isRight = others === false ? undefined : knownToFit(place, others);
  const names = Object.keys(object);
  if (patterns.length > 0) countSteps(patterns.length * names.length);
  let fits = true;
  for (const name of names) {
    if (properties && Object.hasOwn(properties, name)) continue;
    if (patterns.some((pattern) => pattern.test(name))) continue;
    if (isRight && others !== false) {
      const value = valueOf(object, name);
      if (isRight(value) || run.judge(value, others, inside(place, ['additionalProperties'], name))) continue;
    } else fail(place, { keyword: 'additionalProperties', params: { additionalProperty: name } }, schema);
    fits = false;
    if (!run.all) break;
  }
  return fits;
}

/** Listing them for each value took a third of the time of a check. */
const namedParts = oncePerSchema((schema): [string, JsonSchema | boolean][] =>
  Object.entries(schema.properties!),
);

function hasFittingProperties(object: object, schema: JsonSchema, place: Place): boolean {
  const { run, evaluated } = place;
  let fits = true;
  for (const [name, part] of namedParts(schema)) {
    const value = valueOf(object, name);
    if (value === undefined || !Object.hasOwn(object, name)) continue;
    evaluated?.addName(name);
    const at = run.problems || evaluated ? inside(place, ['properties', name], name) : place;
    if (run.judge(value, part, at)) continue;
    fits = false;
    if (!run.all) break;
  }
  return fits;
}

function hasFittingNames(object: object, schema: JsonSchema, place: Place): boolean {
  const { run, evaluated } = place;
  const names = Object.keys(object);
  return every(Object.entries(schema.patternProperties!), place, ([pattern, each]) => {
    const matcher = matcherOf(schema, pattern, run.source);
    const isRight = knownToFit(place, each);
    countSteps(names.length);
    return every(names, place, (name) => {
      if (!matcher.test(name)) {
        const at = () => inside(place, ['patternProperties', pattern], name);
        return !isUndecided(run.source) || fail(at(), { keyword: 'pattern', params: { pattern } }, schema);
      }
      evaluated?.addName(name);
      const value = valueOf(object, name);
      return isRight(value) || run.judge(value, each, inside(place, ['patternProperties', pattern], name));
    });
  });
}

/** What each property needs: other properties, or a schema. Draft-07 has one keyword for both. */
function dependents(keyword: string): readonly [keyword: string, rule: Rule<object>] {
  const needsOf = oncePerSchema((schema) =>
    Object.entries(schema[keyword] as Record<string, string[] | JsonSchema | boolean>),
  );
  const rule: Rule<object> = (object, schema, place) =>
    every(needsOf(schema), place, ([property, needed]) => {
      if (!isPresent(object, property)) return true;
      if (!Array.isArray(needed)) return place.run.judge(object, needed, inside(place, [keyword, property]));
      return every(needed, place, (missingProperty) => {
        if (isPresent(object, missingProperty)) return true;
        const deps = needed.join(', ');
        const params = { property, missingProperty, depsCount: needed.length, deps };
        const noun = needed.length === 1 ? 'property' : 'properties';
        const message = `must have ${noun} ${deps} when property ${property} is present`;
        return fail(place, { keyword, params, message }, schema);
      });
    });
  return [keyword, rule];
}

function hasNoUnevaluated(object: object, schema: JsonSchema, place: Place): boolean {
  const { run } = place;
  const evaluated = place.evaluated!;
  const other = schema['unevaluatedProperties'] as JsonSchema | boolean;
  const others = Object.keys(object).filter((name) => !evaluated.hasName(name));
  evaluated.addAllNames();
  if (other === true) return true;
  const isRight = other === false ? undefined : knownToFit(place, other);
  return every(others, place, (name) => {
    if (!isRight)
      return fail(place, { keyword: 'unevaluatedProperties', params: { unevaluatedProperty: name } }, schema);
    const value = valueOf(object, name);
    return isRight(value) || run.judge(value, other, inside(place, ['unevaluatedProperties'], name));
  });
}
