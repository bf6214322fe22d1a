import type { JsonSchema } from '@toolwright/manifest';

/**
 * The defaults of the top-level properties, as far as they are primitives, or undefined when there are none. A `@default`
 * tag without an initialiser says what the method gets; initialisers of objects make a new one for each call themselves.
 */
export function primitiveDefaults({ properties = {} }: JsonSchema): Record<string, unknown> | undefined {
  const entries = Object.entries(properties)
    .map(([name, schema]) => [name, schema.default] as const)
    .filter(([, value]) => value !== undefined && value !== null && typeof value !== 'object');
  return entries.length ? Object.fromEntries(entries) : undefined;
}
