import type { Schema } from '../read/openapi-document.js';
import { isRounded } from './long-integers.js';
import type { JsonSchema } from './schema-facts.js';

type Bound =
  | 'minimum'
  | 'maximum'
  | 'multipleOf'
  | 'minLength'
  | 'maxLength'
  | 'minItems'
  | 'maxItems'
  | 'minProperties';

/** The bounds of a schema that are numbers. */
export function limits(schema: Schema, names: readonly Bound[]): JsonSchema {
  const known = names.filter(
    (name) => typeof schema[name] === 'number' && Number.isFinite(schema[name]) && !isRounded(schema[name]),
  );
  return Object.fromEntries(known.map((name) => [name, schema[name]]));
}

/** Version 3.0 has `exclusiveMinimum: true` beside `minimum`. */
export function exclusive(schema: Schema): JsonSchema {
  const found: JsonSchema = {};
  for (const [name, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const value = schema[name] === true ? schema[bound] : schema[name];
    if (typeof value === 'number' && !isRounded(value)) found[name] = value;
  }
  return found;
}
