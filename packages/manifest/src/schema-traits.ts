import type { JsonSchema } from './json-schema.js';
import { isSchema } from './map-schema.js';

/** What the text of a schema shows. */
export interface SchemaTraits {
  /** The length of its JSON. */
  readonly length: number;
  /** Whether it contains a sensitive value. */
  readonly hasSensitive: boolean;
  /** Whether a header mirrors a value of it. */
  readonly hasHeader: boolean;
}

const known = new WeakMap<JsonSchema, SchemaTraits>();

/** Examines the text of a schema, once per object, because many schemas share definitions. */
export function traitsOf(schema: JsonSchema): SchemaTraits {
  let traits = known.get(schema);
  if (!traits) {
    const text = JSON.stringify(schema);
    traits = {
      length: text.length,
      hasSensitive: /"(?:writeOnly|x-sensitive)":true|"format":"password"/.test(text),
      hasHeader: text.includes('"x-mcp-header"'),
    };
    known.set(schema, traits);
  }
  return traits;
}

/**
 * The schema without its definitions, and each definition. Examining these parts covers the whole. `true` is
 * no part.
 */
export function partsOf(schema: JsonSchema): readonly JsonSchema[] {
  if (!schema.$defs) return [schema];
  let parts = split.get(schema);
  if (!parts) {
    const { $defs, ...own } = schema;
    split.set(schema, (parts = [own, ...Object.values($defs).filter(isSchema)]));
  }
  return parts;
}

const split = new WeakMap<JsonSchema, readonly JsonSchema[]>();
