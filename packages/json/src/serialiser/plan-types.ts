import type { JsonSchema } from '../schema/json-schema.js';
import { accepts } from '../validation/validator.js';
import type { OutputMember, NumberNode, OutputNode, StringNode, Undeclared, Write } from './output-node.js';

export type Plan = (schema: JsonSchema | boolean | undefined) => OutputNode;

const ofStrings = ['minLength', 'maxLength', 'pattern', 'format'] as const;
const ofNumbers = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'format',
] as const;

export function planString(schema: JsonSchema, keywords: ReadonlySet<string>): StringNode {
  const used = ofStrings.filter((keyword) => keywords.has(keyword));
  if (used.length === 0) return { kind: 'string', isDate: false };
  const isDate = used.length === 1 && schema.format === 'date-time';
  return { kind: 'string', isDate, fits: accepts(part(schema, 'string', used)) };
}

export function planNumber(
  schema: JsonSchema,
  keywords: ReadonlySet<string>,
  isInteger: boolean,
): NumberNode {
  const used = ofNumbers.filter((keyword) => keywords.has(keyword));
  if (used.length === 0) return { kind: 'number', isInteger };
  if (used.includes('multipleOf') || used.includes('format'))
    return { kind: 'number', isInteger, fits: accepts(part(schema, 'number', used)) };
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const { exclusiveMinimum: above = -Infinity, exclusiveMaximum: below = Infinity } = schema;
  const fits = (value: number) => value >= minimum && value <= maximum && value > above && value < below;
  return { kind: 'number', isInteger, fits };
}

/** The part of a schema that applies to values of one type. */
function part(schema: JsonSchema, type: string, keywords: readonly string[]): JsonSchema {
  return { type, ...Object.fromEntries(keywords.map((keyword) => [keyword, schema[keyword]])) };
}

/** @returns undefined if the exact writer has to handle it */
export function planArray(
  { items, prefixItems, minItems: least = 0, maxItems: most = Infinity, uniqueItems }: JsonSchema,
  keywords: ReadonlySet<string>,
  plan: Plan,
): OutputNode | undefined {
  if (!keywords.has('prefixItems')) {
    const node = plan(items);
    const isUnique = uniqueItems === true;
    return isUnique && !isScalar(node) ? undefined : { kind: 'array', items: node, least, most, isUnique };
  }
  if (uniqueItems) return undefined;
  const first = prefixItems!.map(plan);
  return { kind: 'tuple', first, ...(items !== false && { rest: plan(items) }), least, most };
}

/** Whether equal values of a node always have the same text. */
function isScalar({ kind }: OutputNode): boolean {
  return kind === 'string' || kind === 'number' || kind === 'boolean' || kind === 'const';
}

export function planObject(
  schema: JsonSchema,
  keywords: ReadonlySet<string>,
  { plan, undeclared }: { plan: Plan; undeclared: Undeclared },
): OutputNode | undefined {
  const { properties = {}, required = [], additionalProperties } = schema;
  const names = new Set(Object.keys(properties));
  if (required.some((name) => !names.has(name))) return undefined;
  const members = Object.entries(properties).map(([name, property]): OutputMember => ({
    name,
    node: plan(property),
    isRequired: required.includes(name),
  }));
  const isOpen = additionalProperties === undefined ? !keywords.has('properties') : additionalProperties;
  return { kind: 'object', members, names, others: others() };

  function others(): OutputNode | 'drop' | 'refuse' {
    if (isOpen !== false) return plan(isOpen);
    if (undeclared === 'drop') return 'drop';
    return undeclared === 'keep' && additionalProperties === undefined ? { kind: 'any' } : 'refuse';
  }
}

/** What planning needs from its writer. */
export interface OutputPlanning {
  readonly undeclared: Undeclared;
  /** Writes values of a schema with keywords that are unknown here. */
  exact(schema: JsonSchema): Write;
  /** The definition that a reference means; undefined if it leads nowhere, or out of the document. */
  definition(
    reference: string,
  ): { readonly schema: JsonSchema; readonly writer: { readonly write: Write } } | undefined;
}

export interface PlanContext {
  readonly planning: OutputPlanning;
  readonly plan: Plan;
}
