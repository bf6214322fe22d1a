import { oncePerSchema } from '../once.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { ofAllByOthers } from './applicator-rules.js';
import { ofAll, ofLists, ofNumbers, ofObjects, ofStrings, ofWholeLists } from './assertion-rules.js';
import { countSteps } from './check-budget.js';
import { EvaluatedParts } from './evaluated-parts.js';
import { ofItems, ofOtherItems } from './list-rules.js';
import { ofOtherProperties, ofProperties } from './object-rules.js';
import { ofReferences, ofResource } from './reference-rules.js';
import { collecting, fail, type Place, type Rule, runRules, UnusableSchemaError } from './validation-run.js';
import { judgeOnce } from './verdict-memo.js';

/** Whether a value fits a schema, which may be a part of a larger one. */
export function judge(value: unknown, schema: JsonSchema | boolean, place: Place): boolean {
  if (schema === true) return true;
  if (schema === false) return fail(place, NOTHING_FITS, undefined);
  const { rules, weight } = planOf(schema);
  // Recording a problem takes about ten times as long as finding it.
  return countSteps(place.run.problems ? 10 * weight : weight)
    ? judgeOnce(value, schema, place, rules)
    : runRules(rules, value, schema, place);
}

const NOTHING_FITS = { keyword: 'false schema', message: 'boolean schema is false' };

/** How a schema checks values. */
interface Plan {
  /** In the order in which problems are reported, which is Ajv's. */
  readonly rules: readonly Rule[];
  /** About how many steps they take, apart from those of other schemas. */
  readonly weight: number;
}

type Group = readonly [type: string | undefined, rules: readonly (readonly [string, Rule<never>])[]];

const groups: readonly Group[] = [
  ['number', ofNumbers],
  ['string', ofStrings],
  [undefined, [...ofReferences, ...ofAll, ...ofAllByOthers]],
  ['array', [...ofLists, ...ofItems, ...ofOtherItems, ...ofWholeLists]],
  ['object', [...ofObjects, ...ofProperties, ...ofOtherProperties]],
];

/** The plan of a schema. Keywords that nobody knows forbid nothing. */
const planOf = oncePerSchema((schema): Plan => {
  const [only, ...otherTypes] = typesOf(schema);
  const plan: Rule[] = [];
  let isTypeChecked = only === undefined;
  for (const [type, rules] of groups) {
    const used = rules.filter(([keyword]) => schema[keyword] !== undefined).map(([, rule]) => rule as Rule);
    if (used.length === 0) continue;
    if (type === undefined) plan.push(...used);
    else {
      const isOnly = type === only && otherTypes.length === 0;
      plan.push(forType(type, used, isOnly));
      isTypeChecked ||= isOnly;
    }
  }
  let rules = isTypeChecked ? plan : [hasType(schema), ...plan];
  if (schema['unevaluatedItems'] !== undefined || schema['unevaluatedProperties'] !== undefined)
    rules = [asksForOthers(rules)];
  if (typeof schema.$id === 'string') rules = [ofResource(rules)];
  const names = (schema.required?.length ?? 0) + Object.keys(schema.properties ?? {}).length;
  return { rules, weight: 1 + Math.floor(names / 8) };
});

/** @throws {UnusableSchemaError} for a type that nobody knows */
function typesOf({ type, nullable }: JsonSchema): readonly string[] {
  const types = [type ?? []].flat();
  for (const name of types)
    if (!typeChecks.has(name))
      throw new UnusableSchemaError(`There is no type "${String(name)}" in JSON Schema.`);
  // Servers whose schemas come from OpenAPI 3.0 write so, and other validators take it.
  return nullable === true && types.length > 0 ? [...new Set([...types, 'null'])] : types;
}

/** Rules for values of one type. If the schema allows only this type, other types are reported at this point. */
function forType(type: string, rules: readonly Rule[], isOnly: boolean): Rule {
  // Limits count for Infinity too, which is not a number of JSON.
  const isOfType = type === 'number' && !isOnly ? isNumber : typeChecks.get(type)!;
  return (value, schema, place) => {
    if (isOfType(value)) return runRules(rules, value, schema, place);
    return !isOnly || fail(place, { keyword: 'type', params: { type: schema.type } }, schema);
  };
}

/** Whether a value has a type of JSON Schema. */
const typeChecks: ReadonlyMap<unknown, (value: unknown) => boolean> = new Map<
  unknown,
  (value: unknown) => boolean
>([
  ['string', (value) => typeof value === 'string'],
  ['number', (value) => Number.isFinite(value)],
  ['integer', (value) => Number.isInteger(value)],
  ['boolean', (value) => typeof value === 'boolean'],
  ['null', (value) => value === null],
  ['array', (value) => Array.isArray(value)],
  ['object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value)],
]);

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}

function hasType(schema: JsonSchema): Rule {
  const checks = typesOf(schema).map((name) => typeChecks.get(name)!);
  return (value, _, place) => {
    for (const check of checks) if (check(value)) return true;
    return fail(place, { keyword: 'type', params: { type: schema.type } }, schema);
  };
}

/** The rules of a schema that asks which parts of a value its own rules have not described. */
function asksForOthers(rules: readonly Rule[]): Rule {
  return (value, schema, place) => {
    const parts = new EvaluatedParts();
    const fits = runRules(rules, value, schema, collecting(place, parts));
    if (fits) place.evaluated?.add(parts);
    return fits;
  };
}
