import type { ConstructVerdicts } from '../../api/explain-api.js';
import { verdictsOf, type Construct } from './provider-verdicts.js';

type AnySchema = Readonly<Record<string, unknown>>;

/** Keywords whose value is a schema, and those whose value is a map or list of schemas. */
const nested = ['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else'];
const containers = ['properties', '$defs', 'anyOf', 'oneOf', 'allOf', 'prefixItems', 'patternProperties'];

/** The keywords that are a construct by themselves. */
const keywords: Readonly<Record<string, Construct>> = {
  minimum: '`@minimum`, `@maximum`',
  maximum: '`@minimum`, `@maximum`',
  minLength: '`@minLength`, `@maxLength`',
  maxLength: '`@minLength`, `@maxLength`',
  pattern: '`@pattern`',
  default: "`value = 'weekly'`",
  minItems: '`@minItems`, `@maxItems`',
  maxItems: '`@minItems`, `@maxItems`',
  prefixItems: '`[string, number]`',
  $ref: 'a type that contains itself',
};

/** The constructs of a published schema that some library does not keep. Published schemas refer only to themselves. */
export function findConstructs(schema: AnySchema): ConstructVerdicts[] {
  const found: ConstructVerdicts[] = [];
  if (schema['additionalProperties'] === false)
    found.push(entry('/additionalProperties', 'no other parameters (`additionalProperties: false`)'));
  visit(schema, '', false, found);
  return found;
}

function visit(schema: AnySchema, pointer: string, isOptional: boolean, found: ConstructVerdicts[]): void {
  const own = new Set([...constructsOf(schema, isOptional)]);
  for (const construct of own) found.push(entry(pointer, construct));
  const required = new Set((schema['required'] as string[] | undefined) ?? []);
  for (const keyword of nested)
    if (isSchema(schema[keyword])) visit(schema[keyword], `${pointer}/${keyword}`, false, found);
  for (const keyword of containers) {
    const inside = schema[keyword];
    if (typeof inside !== 'object' || inside === null) continue;
    for (const [name, each] of Object.entries(inside))
      if (isSchema(each)) {
        const mayMiss = keyword === 'properties' && !required.has(name);
        visit(each, `${pointer}/${keyword}/${escape(name)}`, mayMiss, found);
      }
  }
}

function* constructsOf(schema: AnySchema, isOptional: boolean): Generator<Construct> {
  // A tuple is published as a list whose description says the order. The bounds are a part of it.
  const isList = String(schema['description']).includes('Items in this order: ');
  const isTuple = isList || Array.isArray(schema['prefixItems']);
  if (isList) yield '`[string, number]`';
  for (const [keyword, construct] of Object.entries(keywords))
    if (schema[keyword] !== undefined && !(isTuple && keyword.endsWith('Items') && keyword !== 'prefixItems'))
      yield construct;
  if (typeof schema['format'] === 'string') yield schema['format'] === 'date-time' ? '`Date`' : '`@format`';
  if (isSchema(schema['additionalProperties'])) yield '`Record<string, number>`';
  const choice = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choice)) yield* choiceOf(choice as AnySchema[], isOptional);
}

function* choiceOf(options: readonly AnySchema[], isOptional: boolean): Generator<Construct> {
  const others = options.filter(({ type }) => type !== 'null');
  const isObject = ({ type, properties, $ref }: AnySchema) =>
    type === 'object' || properties !== undefined || $ref !== undefined;
  if (others.length < options.length) {
    if (others.some(isObject)) yield 'an object \\| `null`';
    else if (others.some((each) => each['enum'] !== undefined)) yield "`'urgent' \\| 'high' \\| … \\| null`";
    else yield isOptional ? '`value?: string \\| null`' : '`value: string \\| null`';
  }
  if (others.length < 2) return;
  yield others.some(isObject)
    ? "`{ kind: 'circle', … } \\| { kind: 'square', … }` inside"
    : '`string \\| number`';
}

function entry(pointer: string, construct: Construct): ConstructVerdicts {
  return {
    pointer,
    construct: construct.replaceAll('`', '').replaceAll('\\|', '|'),
    verdicts: verdictsOf(construct),
  };
}

function isSchema(value: unknown): value is AnySchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
