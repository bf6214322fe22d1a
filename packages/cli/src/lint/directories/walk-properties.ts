import type { JsonSchema } from '@toolwright/json';

type Visit = (name: string, property: JsonSchema) => void;
type Definitions = Record<string, JsonSchema>;

/** Visits every property of a schema, also those of its alternatives, items and definitions. */
export function walkProperties(schema: JsonSchema, visit: Visit): void {
  const definitions = schema.$defs ?? {};
  walk(schema, definitions, visit);
  // Each definition is visited once, so a recursive one does no harm.
  for (const one of Object.values(definitions)) walk(one, definitions, visit);
}

function walk(schema: JsonSchema, definitions: Definitions, visit: Visit): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const named = definitions[property.$ref?.replace('#/$defs/', '') ?? ''];
    for (const one of [property, ...alternatives(named ?? property)]) visit(name, one);
    walk(property, definitions, visit);
  }
  for (const one of alternatives(schema)) if (one !== schema) walk(one, definitions, visit);
  if (typeof schema.items === 'object') walk(schema.items, definitions, visit);
}

/** The schema itself and its direct alternatives. */
function alternatives(schema: JsonSchema): JsonSchema[] {
  return [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
}
