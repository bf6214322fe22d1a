import type { JsonSchema } from '../schema/json-schema.js';
import { ofAllByOthers } from './applicator-rules.js';
import {
  forType,
  hasType,
  ofAll,
  ofLists,
  ofNumbers,
  ofObjects,
  ofStrings,
  ofWholeLists,
  runRules,
  typesOf,
  ofOtherProperties,
  ofProperties,
} from './assertion-rules.js';
import { EvaluatedParts } from './evaluated-parts.js';
import { ofItems, ofOtherItems } from './list-rules.js';
import { ofReferences, ofResource } from './reference-rules.js';
import { collecting, type Rule } from './validation-run.js';

/** How a schema checks values. */
export interface CheckPlan {
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

/** The groups that a keyword has rules in, as bits. */
const groupsOf = new Map<string, number>();
groups.forEach(([, rules], at) => {
  for (const [keyword] of rules) groupsOf.set(keyword, (groupsOf.get(keyword) ?? 0) | (1 << at));
});

/** Makes the plan of a schema. Keywords that nobody knows forbid nothing. */
export function makePlan(schema: JsonSchema): CheckPlan {
  const [only, ...otherTypes] = typesOf(schema);
  const plan: Rule[] = [];
  let isTypeChecked = only === undefined;
  let present = 0;
  for (const keyword in schema) present |= groupsOf.get(keyword) ?? 0;
  for (const [at, [type, rules]] of groups.entries()) {
    // A definition of a stranger may have thousands of schemas, and most have a keyword or two.
    if ((present & (1 << at)) === 0) continue;
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
  return { rules, weight: weightOf(schema) };
}

function weightOf({ required, properties, format, multipleOf }: JsonSchema): number {
  const names = (required?.length ?? 0) + Object.keys(properties ?? {}).length;
  const isPartOfUnit = multipleOf !== undefined && !Number.isInteger(multipleOf);
  return 1 + Math.floor(names / 8) + (format === undefined ? 0 : FORMAT) + (isPartOfUnit ? DECIMAL : 0);
}

/** A date takes four times as long as a bound of a number. */
const FORMAT = 3;
/** Multiples of 0.01 are counted by the decimal digits of both numbers. */
const DECIMAL = 7;
/** The rules of a schema that asks which parts of a value its own rules have not described. */
function asksForOthers(rules: readonly Rule[]): Rule {
  return (value, schema, place) => {
    const parts = new EvaluatedParts();
    const fits = runRules(rules, value, schema, collecting(place, parts));
    if (fits) place.evaluated?.add(parts);
    return fits;
  };
}
