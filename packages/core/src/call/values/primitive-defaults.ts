import type { JsonSchema } from '@toolwright/manifest';

/** A property, and its value if it is missing. */
export type Default = readonly [name: string, value: unknown];

/**
 * The defaults of the top-level properties, if they are primitives. A `@default` tag without an initialiser
 * is the value that the method gets. Initialisers of objects create a new object for each call themselves.
 */
export function primitiveDefaults({ properties = {} }: JsonSchema): Default[] {
  return Object.entries(properties)
    .map(([name, schema]) => [name, schema.default] as const)
    .filter(([, value]) => value !== undefined && value !== null && typeof value !== 'object');
}
