import { pointerToken } from '../base/json-values.js';
import { type JsonSchema, isSchema, mapSchema } from './json-schema.js';
import { partsOf, traitsOf } from './keywords.js';
import { definitionsOf } from './references.js';
import { SchemaDocument, type SchemaResource } from './schema-document.js';

/**
 * A schema whose references all lead to its own `$defs`, because readers know no other ones. It has a definition for each
 * place that a pointer, an anchor or an address leads to, also for the whole schema: the root is published in another form.
 *
 * @returns the same schema if its references are plain
 */
export function withPlainReferences(schema: JsonSchema): JsonSchema {
  const traits = partsOf(schema).map(traitsOf);
  if (!traits.some((each) => each.hasOtherReferences || each.refersToRoot || each.hasId)) return schema;
  const document = SchemaDocument.of(schema);
  const names = new Map<JsonSchema, string>();
  const written = new Map<string, JsonSchema>();
  const taken = new Map(Object.entries(definitionsOf(schema)).map(([name, each]) => [each, name]));
  const used = new Set(taken.values());

  /** The name of the definition for a target. It is written once, and may lead back to itself. */
  const nameOf = (target: JsonSchema): string => {
    const known = names.get(target);
    if (known !== undefined) return known;
    let name = taken.get(target) ?? 'Part';
    for (let next = 2; !taken.has(target) && used.has(name); next++) name = `Part${next}`;
    used.add(name);
    names.set(target, name);
    written.set(name, {});
    written.set(name, point(target));
    return name;
  };

  const targetOf = ({ $ref, $dynamicRef }: JsonSchema, from: SchemaResource): JsonSchema | undefined => {
    const reference = $ref ?? $dynamicRef;
    const target = typeof reference === 'string' ? document.resolve(reference, from)?.schema : undefined;
    if (!isSchema(target)) return undefined;
    // Which of several anchors a dynamic reference means depends on the value.
    const isFixed =
      $ref !== undefined || target['$dynamicAnchor'] === undefined || document.dynamicTargets().length === 1;
    return isFixed ? target : undefined;
  };

  const point = (part: JsonSchema): JsonSchema => {
    const { $ref, $dynamicRef, $id: _id, $defs: _defs, definitions: _definitions, ...others } = part;
    const inner = mapSchema(others, point);
    if ($ref === undefined && $dynamicRef === undefined) return inner;
    const target = targetOf(part, document.resourceOf(part) ?? document.main);
    if (target) return { ...inner, $ref: `#/$defs/${encodeURIComponent(pointerToken(nameOf(target)))}` };
    // What is unknown may name any property.
    return { additionalProperties: true, ...inner };
  };

  const root = point(schema);
  return { ...root, $defs: Object.fromEntries(written) };
}
