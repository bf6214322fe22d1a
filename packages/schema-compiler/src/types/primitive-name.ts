import { ts } from 'typescript-json-schema';

/**
 * The name of a primitive type. typescript-json-schema prints each type before it looks at it, and that took
 * a third of its time.
 */
export function primitiveName({ flags }: ts.Type): string | undefined {
  if (flags & ts.TypeFlags.String) return 'string';
  if (flags & ts.TypeFlags.Number) return 'number';
  if (flags & ts.TypeFlags.Boolean) return 'boolean';
  return flags & ts.TypeFlags.Null ? 'null' : undefined;
}
