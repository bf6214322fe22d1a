/**
 * Publishes the words of `@deprecated use x`. JSON Schema has no place for them, so that they begin the description, as they do
 * for a tool: a model reads that first.
 */
export function withReason<T extends Record<string, unknown>>(schema: T): T {
  const { deprecated, description } = schema;
  if (typeof deprecated !== 'string') return schema;
  const reason = `Deprecated: ${deprecated.replace(/\.$/, '')}.`;
  return {
    ...schema,
    description: typeof description === 'string' ? `${reason} ${description}` : reason,
    deprecated: true,
  };
}
