import { isSensitive, type JsonSchema } from '@toolwright/json';

/**
 * The type of a schema in a few words, in TypeScript's notation: `string[]`, `"asc" | "desc"`,
 * `{ id, title }`.
 */
export function describeSchema(schema: JsonSchema | boolean | undefined): string {
  if (schema === undefined || typeof schema === 'boolean') return schema === false ? 'never' : 'any';
  if (isSensitive(schema)) return [schema.type ?? 'any'].flat().join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map(describeSchema))].join(' | ');
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  if (schema.type === 'array') return describeArray(schema);
  if (schema.type === 'object') return describeObject(schema);
  return schema.type ?? (schema.allOf ? schema.allOf.map(describeSchema).join(' & ') : 'any');
}

function describeArray({ items, prefixItems }: JsonSchema): string {
  if (prefixItems) return `[${prefixItems.map(describeSchema).join(', ')}]`;
  const item = describeSchema(items);
  return / [|&] /.test(item) ? `(${item})[]` : `${item}[]`;
}

function describeObject({ properties = {}, required = [], additionalProperties }: JsonSchema): string {
  const names = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
  if (typeof additionalProperties === 'object') names.push(`[key]: ${describeSchema(additionalProperties)}`);
  return names.length === 0 ? 'object' : `{ ${names.join(', ')} }`;
}
