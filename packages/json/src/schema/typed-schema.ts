import { schemaTypeOf } from '../base/json-values.js';
import { type JsonSchema, mapSchema } from './json-schema.js';

/** The keywords that limit values of one type only. */
const ofType: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType'],
  number: ['minimum', 'maximum', 'multipleOf', 'format'],
  integer: ['minimum', 'maximum', 'multipleOf', 'format'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
};
const bound = new Set(Object.values(ofType).flat());

/** A schema that says the same with one type at each place, as providers want it. */
export function withSingleTypes(schema: JsonSchema): JsonSchema {
  return mapSchema(nameRequired(fillList(typeEnum(splitTypes(schema)))), withSingleTypes);
}

/**
 * `type: ["string", "null"]` is valid, but many clients do not support it. All of them understand a choice of
 * single types. Each has its own keywords, because some providers refuse `properties` beside a choice.
 */
function splitTypes(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.type)) return schema;
  const { type, ...others } = schema;
  if (type.length === 1) return { ...others, type: type[0]! };
  if (schema.const !== undefined || schema.anyOf) return others;
  if (schema.enum !== undefined) return splitEnum(others, schema.enum);
  const options = type.map((each): JsonSchema => {
    const own = (ofType[each] ?? []).filter((keyword) => schema[keyword] !== undefined);
    return { type: each, ...Object.fromEntries(own.map((keyword) => [keyword, schema[keyword]])) };
  });
  const shared = Object.entries(others).filter(([keyword]) => !bound.has(keyword));
  return { ...Object.fromEntries(shared), anyOf: options };
}

/**
 * Google's API accepts only strings in an enum. Null and values of other types become separate alternatives.
 */
function splitEnum({ enum: _values, ...others }: JsonSchema, values: readonly unknown[]): JsonSchema {
  const options = [...new Set(values.map(schemaTypeOf))].map((each): JsonSchema =>
    each === 'null'
      ? { type: each }
      : { type: each, enum: values.filter((value) => schemaTypeOf(value) === each) },
  );
  return options.length === 1 ? { ...others, ...options[0] } : { ...others, anyOf: options };
}

/** Google's API takes an enum only with its type. */
function typeEnum(schema: JsonSchema): JsonSchema {
  const isText = schema.type === undefined && schema.enum?.every((value) => typeof value === 'string');
  return isText && schema.enum!.length > 0 ? { type: 'string', ...schema } : schema;
}

/** VS Code refuses a tool with a list that does not say what its items are. */
function fillList(schema: JsonSchema): JsonSchema {
  return schema.type === 'array' && schema.items === undefined ? { ...schema, items: {} } : schema;
}

/** Google's API refuses a tool that requires a property that it does not describe. */
function nameRequired(schema: JsonSchema): JsonSchema {
  const { properties = {}, required, additionalProperties: other } = schema;
  if (schema.type !== 'object' || !required) return schema;
  const unnamed = required.filter((name) => !Object.hasOwn(properties, name));
  if (unnamed.length === 0) return schema;
  if (other === false) return { ...schema, required: required.filter((name) => !unnamed.includes(name)) };
  const added = unnamed.map((name) => [name, typeof other === 'object' ? other : {}]);
  return {
    ...schema,
    properties: Object.fromEntries([...Object.entries(properties), ...added]) as Record<string, JsonSchema>,
  };
}
