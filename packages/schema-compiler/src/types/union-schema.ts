import { ts } from 'typescript-json-schema';
import type { Definition } from './tjs-internals.js';

type Literal = string | number | boolean;

/**
 * A union in the form of typescript-json-schema: literals in one enum, bare types in one `type` list, the
 * rest in `anyOf`. Numbers are sorted as numbers, and equal members appear once.
 */
export function unionSchema(
  members: readonly ts.Type[],
  definition: Definition,
  define: (member: ts.Type) => Definition,
): Definition {
  const literals: Literal[] = [];
  const types: string[] = [];
  const schemas: Definition[] = [];
  for (const member of members) {
    const literal = literalOf(member);
    if (literal !== undefined) {
      if (!literals.includes(literal)) literals.push(literal);
      continue;
    }
    const schema = define(member);
    if (schema.type === 'undefined') continue;
    if (typeof schema.type === 'string' && Object.keys(schema).length === 1) {
      if (!types.includes(schema.type)) types.push(schema.type);
    } else if (!schemas.some((other) => JSON.stringify(other) === JSON.stringify(schema)))
      schemas.push(schema);
  }
  if (literals.includes(true) && literals.includes(false) && literals.length === 2) types.push('boolean');
  else if (literals.length > 0) schemas.push(enumSchema(literals));
  if (types.length > 0) schemas.push({ type: types.length === 1 ? types[0]! : types });
  if (schemas.length !== 1) return Object.assign(definition, { anyOf: schemas });
  const description = definition.description;
  Object.assign(definition, schemas[0]);
  if (description !== undefined) definition.description = description;
  return definition;
}

/** The value of a literal type, also of a branded one. */
export function literalOf(type: ts.Type): Literal | undefined {
  if (type.isIntersection()) {
    const carrier = type.types.find((part) => part.flags & ts.TypeFlags.Literal);
    return carrier && literalOf(carrier);
  }
  if (type.isStringLiteral() || type.isNumberLiteral()) return type.value;
  if (type.flags & ts.TypeFlags.BooleanLiteral) {
    return (type as ts.Type & { intrinsicName: string }).intrinsicName === 'true';
  }
  return undefined;
}

function enumSchema(values: Literal[]): Definition {
  const kinds = new Set(values.map((value) => typeof value));
  const numeric = kinds.size === 1 && kinds.has('number');
  const sorted = numeric ? (values as number[]).sort((a, b) => a - b) : values.sort();
  const schema: Definition = sorted.length > 1 ? { enum: sorted } : { const: sorted[0] };
  if (kinds.size === 1) schema.type = [...kinds][0]!;
  return schema;
}
