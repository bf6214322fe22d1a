import type { JsonSchema } from '@toolwright/manifest';
import type { JsonType, OutputNode } from './output-node.js';
import type { OutputPlanning, PlanContext } from './output-planning.js';
import { isPrimitive, JSON_TYPES } from './schema-keywords.js';

/**
 * Plans alternatives that the JSON type of a value tells apart, and objects that differ in a property with a
 * constant value, like TypeScript's unions. For all others, only a validator can say which ones a value
 * matches. There may be several, and all of them declare properties of it.
 *
 * @returns undefined if the exact writer has to handle it
 */
export function planAlternatives(schema: JsonSchema, context: PlanContext): OutputNode | undefined {
  const branches = schema.anyOf ?? schema.oneOf ?? [];
  const byType: Partial<Record<JsonType, JsonSchema[]>> = {};
  for (const branch of branches) {
    const types = typesOf(branch, context.planning);
    if (!types) return undefined;
    for (const type of types) (byType[type] ??= []).push(branch);
  }
  const nodes: Partial<Record<JsonType, OutputNode>> = {};
  for (const [type, candidates] of Object.entries(byType) as [JsonType, JsonSchema[]][]) {
    const node = choose(type, candidates, { context, isExclusive: schema.oneOf !== undefined });
    if (!node) return undefined;
    nodes[type] = node;
  }
  return { kind: 'types', byType: nodes };
}

function choose(
  type: JsonType,
  candidates: readonly JsonSchema[],
  { context, isExclusive }: { context: PlanContext; isExclusive: boolean },
): OutputNode | undefined {
  const { plan } = context;
  if (candidates.length === 1) return plan(candidates[0]);
  if (type === 'object')
    return planTagged(candidates, context) ?? (isExclusive ? undefined : planUntagged(candidates, context));
  if (type === 'array' || isExclusive) return undefined;
  return { kind: 'alternatives', options: candidates.map(plan) };
}

/** The JSON types of a schema's values; undefined if the schema does not say. */
function typesOf(schema: JsonSchema, planning: OutputPlanning): readonly JsonType[] | undefined {
  const { type, enum: values, const: only } = behind(schema, planning) ?? {};
  const names: unknown[] | undefined =
    type !== undefined
      ? [type].flat()
      : (values ?? (only === undefined ? undefined : [only]))?.map((value) =>
          value === null ? 'null' : typeof value,
        );
  const types = names?.map((name) => (name === 'integer' ? 'number' : name));
  return types?.every((name) => JSON_TYPES.has(name as string))
    ? [...new Set(types as JsonType[])]
    : undefined;
}

function planTagged(
  candidates: readonly JsonSchema[],
  { planning, plan }: PlanContext,
): OutputNode | undefined {
  const objects = candidates.map((candidate) => behind(candidate, planning));
  const [first] = objects;
  for (const property of first?.required ?? []) {
    const tags = objects.map((object) => tagsOf(object, property));
    if (!tags.every((each) => each !== undefined)) continue;
    const all = tags.flat();
    if (new Set(all).size < all.length) continue;
    const nodes = candidates.map(plan);
    return {
      kind: 'tagged',
      property,
      byTag: new Map(tags.flatMap((each, index) => each.map((tag) => [tag, nodes[index]!] as const))),
    };
  }
  return undefined;
}

/**
 * Objects of which all but one require a constant value in the same property, such as `deleted: true`. A
 * value without this constant can only match the one. A value with it may match both.
 */
function planUntagged(
  candidates: readonly JsonSchema[],
  { planning, plan }: PlanContext,
): OutputNode | undefined {
  const objects = candidates.map((candidate) => behind(candidate, planning));
  for (const property of new Set(objects.flatMap((object) => object?.required ?? []))) {
    const tags = objects.map((object) => tagsOf(object, property));
    const untagged = candidates.filter((_, index) => tags[index] === undefined);
    if (untagged.length !== 1) continue;
    const either: OutputNode = { kind: 'exact', write: planning.exact({ anyOf: [...candidates] }) };
    return {
      kind: 'tagged',
      property,
      byTag: new Map(tags.flatMap((each) => each ?? []).map((tag) => [tag, either])),
      otherwise: plan(untagged[0]),
    };
  }
  return undefined;
}

/** The values that a property of an object can have, if the property is required and has few values. */
function tagsOf(object: JsonSchema | undefined, property: string): readonly unknown[] | undefined {
  const { required = [], properties = {} } = object ?? {};
  if (!required.includes(property) || !Object.hasOwn(properties, property)) return undefined;
  const { const: only, enum: values = only === undefined ? undefined : [only] } = properties[property]!;
  return values?.every(isPrimitive) ? values : undefined;
}

/** The schema that a reference stands for. */
function behind(schema: JsonSchema, planning: OutputPlanning): JsonSchema | undefined {
  const { $ref } = schema;
  return $ref === undefined ? schema : planning.definition($ref)?.schema;
}
