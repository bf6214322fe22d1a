import type { JsonSchema } from '../schema/json-schema.js';
import { JSON_TYPES, isLatestDialect, isPrimitive, keywordsOf } from '../schema/keywords.js';
import { writeJson } from './json-text.js';
import type { OutputType, OutputNode } from './output-node.js';
import {
  type OutputPlanning,
  type Plan,
  type PlanContext,
  planArray,
  planNumber,
  planObject,
  planString,
} from './plan-types.js';

/** Plans how values of a schema are written. */
export function planOutput(schema: JsonSchema | boolean, planning: OutputPlanning): OutputNode {
  const plan: Plan = (part) => planSchema(part, { planning, plan });
  return plan(schema);
}

function planSchema(schema: JsonSchema | boolean | undefined, context: PlanContext): OutputNode {
  if (schema === true || schema === undefined) return { kind: 'any' };
  if (schema === false) return { kind: 'alternatives', options: [] };
  const keywords = keywordsOf(schema);
  const known = keywords && planKnown(schema, keywords, context);
  return known ?? { kind: 'exact', write: context.planning.exact(schema) };
}

/** @returns undefined if the exact writer has to handle it */
function planKnown(
  schema: JsonSchema,
  keywords: ReadonlySet<string>,
  context: PlanContext,
): OutputNode | undefined {
  const { $ref, $schema } = schema;
  if ($schema !== undefined && !isLatestDialect($schema as string)) return undefined;
  if (keywords.size === 0) return { kind: 'any' };
  if ($ref !== undefined) {
    const definition = keywords.size === 1 ? context.planning.definition($ref) : undefined;
    return definition && { kind: 'reference', writer: definition.writer };
  }
  if (schema.anyOf || schema.oneOf)
    return keywords.size === 1 ? planAlternatives(schema, context) : undefined;
  if (keywords.has('allOf')) return undefined;
  if (keywords.has('const') || keywords.has('enum')) return planConst(schema, keywords);
  return planTypes(schema, keywords, context);
}

function planConst(schema: JsonSchema, keywords: ReadonlySet<string>): OutputNode | undefined {
  const { type, enum: values, const: only } = schema;
  if (values && keywords.has('const')) return undefined;
  if ([...keywords].some((keyword) => !['const', 'enum', 'type'].includes(keyword))) return undefined;
  const allowed = values ?? [only];
  if (!allowed.every(isPrimitive)) return undefined;
  const fitting = type === undefined ? allowed : allowed.filter((value) => hasType(value, [type].flat()));
  return { kind: 'const', texts: new Map(fitting.map((value) => [value, writeJson(value)])) };
}

function hasType(value: unknown, types: readonly string[]): boolean {
  if (value === null) return types.includes('null');
  if (Number.isInteger(value)) return types.includes('integer') || types.includes('number');
  return types.includes(typeof value);
}

function planTypes(
  schema: JsonSchema,
  keywords: ReadonlySet<string>,
  { plan, planning }: PlanContext,
): OutputNode | undefined {
  const { type } = schema;
  if (type === undefined) return undefined;
  const types = [type].flat();
  const byType: Partial<Record<OutputType, OutputNode>> = {};
  for (const each of types) {
    const isInteger = each === 'integer' && !types.includes('number');
    const name = (each === 'integer' ? 'number' : each) as OutputType;
    if (!JSON_TYPES.has(name)) return undefined;
    const node = {
      string: () => planString(schema, keywords),
      number: () => planNumber(schema, keywords, isInteger),
      boolean: () => ({ kind: 'boolean' }) as const,
      null: () => ({ kind: 'null' }) as const,
      array: () => planArray(schema, keywords, plan),
      object: () => planObject(schema, keywords, { plan, undeclared: planning.undeclared }),
    }[name]();
    if (!node) return undefined;
    byType[name] = node;
  }
  return types.length === 1 ? Object.values(byType)[0]! : { kind: 'types', byType };
}

/**
 * Plans alternatives that the JSON type of a value tells apart, and objects that differ in a property with a
 * constant value, like TypeScript's unions. For all others, only a validator can say which ones a value
 * matches. There may be several, and all of them declare properties of it.
 *
 * @returns undefined if the exact writer has to handle it
 */
export function planAlternatives(schema: JsonSchema, context: PlanContext): OutputNode | undefined {
  const branches = schema.anyOf ?? schema.oneOf ?? [];
  const byType: Partial<Record<OutputType, JsonSchema[]>> = {};
  for (const branch of branches) {
    const types = typesOf(branch, context.planning);
    if (!types) return undefined;
    for (const type of types) (byType[type] ??= []).push(branch);
  }
  const nodes: Partial<Record<OutputType, OutputNode>> = {};
  for (const [type, candidates] of Object.entries(byType) as [OutputType, JsonSchema[]][]) {
    const node = choose(type, candidates, { context, isExclusive: schema.oneOf !== undefined });
    if (!node) return undefined;
    nodes[type] = node;
  }
  return { kind: 'types', byType: nodes };
}

function choose(
  type: OutputType,
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
function typesOf(schema: JsonSchema, planning: OutputPlanning): readonly OutputType[] | undefined {
  const { type, enum: values, const: only } = behind(schema, planning) ?? {};
  const names: unknown[] | undefined =
    type !== undefined
      ? [type].flat()
      : (values ?? (only === undefined ? undefined : [only]))?.map((value) =>
          value === null ? 'null' : typeof value,
        );
  const types = names?.map((name) => (name === 'integer' ? 'number' : name));
  return types?.every((name) => JSON_TYPES.has(name as string))
    ? [...new Set(types as OutputType[])]
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

/** The schema that a reference points to. */
function behind(schema: JsonSchema, planning: OutputPlanning): JsonSchema | undefined {
  const { $ref } = schema;
  return $ref === undefined ? schema : planning.definition($ref)?.schema;
}
