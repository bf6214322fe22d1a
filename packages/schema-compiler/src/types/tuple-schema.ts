import { ts } from 'typescript-json-schema';
import type { Definition } from './tjs-internals.js';

/**
 * A tuple in 2020-12. `prefixItems` describes the elements with a fixed position. `items` describes
 * everything from a rest element on, including the elements after it, because their position depends on the
 * length.
 */
export function tupleSchema(
  type: ts.TupleTypeReference,
  elements: readonly ts.Type[],
  define: (element: ts.Type, isOptional: boolean) => Definition,
): Definition {
  const { elementFlags, labeledElementDeclarations } = type.target;
  const firstOpen = elementFlags.findIndex((flags) => flags & ts.ElementFlags.Variable);
  const fixed = firstOpen === -1 ? elements : elements.slice(0, firstOpen);
  const prefixItems = fixed.map((element, index) => {
    const label = labeledElementDeclarations?.[index]?.name.getText();
    const isOptional = !!(elementFlags[index]! & ts.ElementFlags.Optional);
    return { ...define(element, isOptional), ...(label ? { title: label } : {}) };
  });
  const schema: Definition = {
    type: 'array',
    minItems: elementFlags.filter((flags) => flags & ts.ElementFlags.Required).length,
  };
  if (prefixItems.length > 0) schema.prefixItems = prefixItems;
  if (firstOpen === -1) return { ...schema, maxItems: elements.length };
  return { ...schema, items: anyOf(elements.slice(firstOpen).map((element) => define(element, false))) };
}

function anyOf(schemas: Definition[]): Definition {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return distinct.length === 1 ? distinct[0]! : { anyOf: distinct };
}
