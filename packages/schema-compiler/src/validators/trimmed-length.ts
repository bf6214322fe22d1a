import type { JsonSchema } from '@toolwright/manifest';
import type { ts } from 'typescript-json-schema';

/** Whether a `@Transform` removes the spaces around a text before its length is checked. */
export function trims(transform: ts.Expression | undefined): boolean {
  return transform !== undefined && /\.trim\(\)/.test(transform.getText());
}

/** A schema for a text that has its minimum length without the spaces around it. */
export function trimmed(schema: JsonSchema): JsonSchema {
  const { minLength, pattern } = schema;
  if (minLength === undefined || minLength < 1 || pattern !== undefined) return schema;
  const inner = minLength === 1 ? '\\S' : `\\S[^]{${minLength - 2},}\\S`;
  return { ...schema, pattern: inner };
}
