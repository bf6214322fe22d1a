import type { JsonSchema } from '@toolwright/manifest';
import { isLatestDialect } from '../../base/schema/dialects.js';
import type { JsonType, OutputNode } from './output-node.js';
import { planArray, planNumber, planObject, planString, type Plan } from './plan-types.js';
import type { OutputPlanning, PlanContext } from './output-planning.js';
import { planAlternatives } from './plan-alternatives.js';
import { isPrimitive, JSON_TYPES, keywordsOf } from './schema-keywords.js';

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
  return { kind: 'const', texts: new Map(fitting.map((value) => [value, JSON.stringify(value)])) };
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
  const byType: Partial<Record<JsonType, OutputNode>> = {};
  for (const each of types) {
    const isInteger = each === 'integer' && !types.includes('number');
    const name = (each === 'integer' ? 'number' : each) as JsonType;
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
