import type { JsonSchema } from './json-schema.js';
import { isSchema } from './map-schema.js';

/** What can be told of a schema by its text. */
export interface SchemaTraits {
  /** Characters of its JSON. */
  readonly length: number;
  /** Some value of it must not be repeated. */
  readonly hasSensitive: boolean;
  /** Some value of it is mirrored into a header. */
  readonly hasHeader: boolean;
}

const known = new WeakMap<JsonSchema, SchemaTraits>();

/** Looks at the text of a schema, once for each object: definitions are shared by many schemas. */
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

/** The schema without its definitions, and each of those: the parts that a look at the whole is made of. `true` is none. */
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
