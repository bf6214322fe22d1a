import type { Constant } from '../constants.js';

/** What a value may be. */
export type ShapeKind =
  | { readonly is: 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'unknown' }
  | {
      readonly is: 'literal';
      readonly values: readonly Constant[];
      /** The name of the enum that has the values, if there is one. */
      readonly type?: string;
    }
  | { readonly is: 'array'; readonly items: Shape }
  | { readonly is: 'tuple'; readonly items: readonly Shape[] }
  | { readonly is: 'record'; readonly values: Shape }
  | { readonly is: 'union'; readonly members: readonly Shape[] }
  | {
      readonly is: 'object';
      readonly properties: Properties;
      readonly closed: boolean;
      readonly open: boolean;
    };

export type Properties = ReadonlyMap<string, Shape>;

/** A schema of zod as far as a type with doc tags can say it. */
export interface Shape {
  readonly kind: ShapeKind;
  /** The name of the constant that holds the schema. */
  readonly name?: string;
  /** Keywords of JSON Schema, each of which has a doc tag. */
  readonly rules: Readonly<Record<string, Constant>>;
  readonly description?: string;
  readonly optional?: boolean;
  readonly nullable?: boolean;
  readonly default?: Constant;
  /** The default as the source writes it, if it is a member of an enum. */
  readonly defaultText?: string;
}

export const shapeOf = (kind: ShapeKind, rules: Shape['rules'] = {}): Shape => ({ kind, rules });

type Json = { [name: string]: Constant };

/** The JSON Schema of a schema of zod, for results whose type does not say it. */
function jsonSchemaOf(shape: Shape): Json {
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
