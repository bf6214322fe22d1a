import { isSchema, type JsonSchema } from './json-schema.js';
import { definitionsOf, referenceName } from './references.js';
import { SchemaDocument } from './schema-document.js';

/** The alternatives at one place. A value there may match any of them. */
export type Schemas = readonly JsonSchema[];

/** Finds what a schema says of the places of a value. */
export class SchemaPlaces {
  constructor(private readonly root: JsonSchema) {}

  /** The schemas of the value as a whole. */
  first(): Schemas {
    return this.expand([this.root]);
  }

  /** The schemas of the value at a path of keys and indexes. */
  at(path: readonly string[]): Schemas {
    return path.reduce<Schemas>((schemas, token) => this.child(schemas, token), this.first());
  }

  /** The schemas of the value at a key or an index. */
  child(schemas: Schemas, token: string): Schemas {
    return this.expand(
      schemas.flatMap((schema) => {
        const { properties = {}, patternProperties = {}, prefixItems, items, additionalProperties } = schema;
        const named = Object.hasOwn(properties, token) ? [properties[token]!] : [];
        const patterned = Object.values(patternProperties);
        const others = named.length > 0 ? [] : [additionalProperties, schema['unevaluatedProperties']];
        const at = /^\d+$/.test(token) ? [prefixItems?.[Number(token)], items, schema['contains']] : [];
        return [...named, ...patterned, ...others, ...at].filter(isSchema);
      }),
    );
  }

  /** Adds all schemas that apply at the same place. */
  expand(schemas: Schemas): Schemas {
    const found = new Set<JsonSchema>(schemas);
    for (const schema of found) {
      const { allOf = [], anyOf = [], oneOf = [] } = schema;
      const conditional = [schema['if'], schema['then'], schema['else'], schema.not];
      for (const each of [
        ...this.targetsOf(schema),
        ...allOf,
        ...anyOf,
        ...oneOf,
        ...conditional,
        ...dependentOf(schema),
      ])
        if (isSchema(each)) found.add(each);
    }
    return [...found];
  }

  /** What references lead to. Those to definitions, which are nearly all, need no index of the document. */
  targetsOf(schema: JsonSchema): readonly JsonSchema[] {
    const { $ref, $dynamicRef } = schema;
    if ($ref === undefined && $dynamicRef === undefined) return [];
    const name = $dynamicRef === undefined ? referenceName(schema) : undefined;
    const definition = name === undefined ? undefined : definitionsOf(this.root)[name];
    return definition ? [definition] : SchemaDocument.of(this.root).targetsOf(schema);
  }
}

function dependentOf(schema: JsonSchema): unknown[] {
  const { dependentSchemas } = schema as { dependentSchemas?: Record<string, unknown> };
  return Object.values(dependentSchemas ?? {});
}
