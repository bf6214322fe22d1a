import type { RJSFSchema } from '@rjsf/utils';

/** The keywords that hold one schema, several, or several by name. */
const nested = {
  one: ['items', 'additionalProperties', 'not', 'contains', 'propertyNames'],
  list: ['prefixItems', 'anyOf', 'oneOf', 'allOf'],
  named: ['properties', '$defs', 'patternProperties'],
};

/**
 * A schema in the form that the form library understands. It knows lists of fixed places by their older spelling, and
 * shows files for data URLs only.
 */
export function formSchema(schema: unknown): RJSFSchema {
  if (typeof schema !== 'object' || schema === null) return schema as RJSFSchema;
  const known = schema as Record<string, unknown>;
  const next: Record<string, unknown> = { ...known };
  for (const key of nested.one) if (key in known) next[key] = formSchema(known[key]);
  for (const key of nested.list) if (Array.isArray(known[key])) next[key] = known[key].map(formSchema);
  for (const key of nested.named)
    if (typeof known[key] === 'object' && known[key] !== null)
      next[key] = Object.fromEntries(
        Object.entries(known[key]).map(([name, each]) => [name, formSchema(each)]),
      );
  if (next['prefixItems']) {
    const { items } = next;
    Object.assign(next, { items: next['prefixItems'], additionalItems: items ?? true });
    delete next['prefixItems'];
  }
  return next as RJSFSchema;
}
