import { oncePerSchema } from '../schema/once.js';
import { eachInside, isSchema, type JsonSchema } from '../schema/json-schema.js';
import { SchemaDocument } from '../schema/schema-document.js';

/**
 * The parts of a schema that a check can reach in more than one way. A value may be checked against them again and again,
 * and with each level of nesting twice as often. All other parts are reached as often as the part around them.
 */
export const mergePointsOf = oncePerSchema((root): ReadonlySet<JsonSchema> => {
  const main = SchemaDocument.of(root);
  const seen = new Set<JsonSchema>([root]);
  const merged = new Set<JsonSchema>();
  const queue: [JsonSchema, SchemaDocument][] = [[root, main]];
  const reach = (schema: JsonSchema, document: SchemaDocument): void => {
    if (seen.has(schema)) merged.add(schema);
    else queue.push([schema, document]);
    seen.add(schema);
  };
  for (let next = queue.pop(); next; next = queue.pop()) {
    const [schema, document] = next;
    const { $defs: _, definitions: _older, ...own } = schema;
    eachInside(own, (inner) => reach(inner, document));
    if (schema['$dynamicRef'] !== undefined)
      for (const each of [main, document])
        for (const anchored of each.dynamicTargets()) reach(anchored, each);
    // A `$dynamicRef` may lead there from anywhere.
    if (schema['$dynamicAnchor'] !== undefined) merged.add(schema);
    for (const reference of [schema.$ref, schema['$dynamicRef']]) {
      if (typeof reference !== 'string') continue;
      const target = document.resolve(reference, document.resourceOf(schema) ?? document.main);
      if (target && isSchema(target.schema)) reach(target.schema, target.resource.document);
    }
  }
  return merged;
});
