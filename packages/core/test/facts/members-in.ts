import type { JsonSchema } from '@toolwright/json';

/** The schemas of the members with a name, at any depth. */
export function membersIn(schema: unknown, name: string): JsonSchema[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, additionalProperties, prefixItems = [] } = schema as JsonSchema;
  const here =
    name === '*'
      ? [additionalProperties]
      : name === '0'
        ? [(prefixItems as unknown[])[0]]
        : [properties[name]];
  const found = here.filter((each) => typeof each === 'object') as JsonSchema[];
  return [...found, ...Object.values(schema).flatMap((part) => membersIn(part, name))];
}
