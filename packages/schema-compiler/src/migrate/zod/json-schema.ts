import type { Constant } from '../constants.js';
import type { Properties, Shape } from './shape.js';

type Json = { [name: string]: Constant };

/** The JSON Schema of a schema of zod, for results whose type does not say it. */
export function jsonSchemaOf(shape: Shape): Json {
  const schema: Json = { ...kindOf(shape), ...shape.rules };
  if (shape.description !== undefined) schema['description'] = shape.description;
  if (shape.default !== undefined) schema['default'] = shape.default;
  return shape.nullable ? { anyOf: [schema, { type: 'null' }] } : schema;
}

export function objectSchemaOf(properties: Properties, closed = false): Json {
  const required = [...properties].filter(
    ([, { optional, default: value }]) => !optional && value === undefined,
  );
  return {
    type: 'object',
    properties: Object.fromEntries([...properties].map(([name, each]) => [name, jsonSchemaOf(each)])),
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
    ...(closed && { additionalProperties: false }),
  };
}

function kindOf({ kind }: Shape): Json {
  switch (kind.is) {
    case 'unknown':
      return {};
    case 'literal':
      return kind.values.length === 1 ? { const: kind.values[0]! } : { enum: [...kind.values] };
    case 'array':
      return { type: 'array', items: jsonSchemaOf(kind.items) };
    case 'tuple':
      return { type: 'array', prefixItems: kind.items.map(jsonSchemaOf), minItems: kind.items.length };
    case 'record':
      return { type: 'object', additionalProperties: jsonSchemaOf(kind.values) };
    case 'union':
      return { anyOf: kind.members.map(jsonSchemaOf) };
    case 'object':
      return objectSchemaOf(kind.properties, kind.closed);
    default:
      return { type: kind.is };
  }
}
