import type { JsonSchema } from '@toolwright/manifest';

/** A property and what it is where nobody gives it. */
export type Default = readonly [name: string, value: unknown];

/**
 * The defaults of the top-level properties, as far as they are primitives. A `@default` tag without an initialiser says
 * what the method gets; initialisers of objects make a new one for each call themselves.
 */
export function primitiveDefaults({ properties = {} }: JsonSchema): Default[] {
  return Object.entries(properties)
    .map(([name, schema]) => [name, schema.default] as const)
    .filter(([, value]) => value !== undefined && value !== null && typeof value !== 'object');
}
