import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv';
import { canonicalJson } from '@toolwright/json';

/**
 * `uniqueItems` in linear time. Ajv compares each object with each other one. For 20,000 objects that takes
 * five seconds, and a body of 1 MiB can contain 350,000.
 */
export const uniqueItems: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  validate: hasNoEqualItems,
};

function hasNoEqualItems(isWanted: boolean, items: readonly unknown[]): boolean {
  const equal = isWanted ? findEqualItems(items) : undefined;
  if (!equal) return true;
  const message = `must NOT have duplicate items (items ## ${equal.j} and ${equal.i} are identical)`;
  (hasNoEqualItems as SchemaValidateFunction).errors = [{ keyword: 'uniqueItems', params: equal, message }];
  return false;
}

/** The first item that equals an earlier one, and the positions of both. */
export function findEqualItems(items: readonly unknown[]): { i: number; j: number } | undefined {
  const values = new Map<unknown, number>();
  // A string may look like the text of an object, so objects have their own map.
  const objects = new Map<string, number>();
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    const isObject = typeof item === 'object' && item !== null;
    const seen: Map<unknown, number> = isObject ? objects : values;
    const key = isObject ? canonicalJson(item) : item;
    const j = seen.get(key);
    if (j !== undefined) return { i, j };
    seen.set(key, i);
  }
  return undefined;
}
