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
} from './assertion-rules.js';
import { EvaluatedParts } from './evaluated-parts.js';
import { ofItems, ofOtherItems } from './list-rules.js';
import { ofOtherProperties, ofProperties } from './object-rules.js';
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

/** Makes the plan of a schema. Keywords that nobody knows forbid nothing. */
export function makePlan(schema: JsonSchema): CheckPlan {
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
