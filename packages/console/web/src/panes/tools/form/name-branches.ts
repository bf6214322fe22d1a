import { resolved, type Schema } from './part-of.js';

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'yes or no',
  array: 'list',
  null: 'nothing (null)',
  object: 'object',
};

/** What a person calls one of several forms of a value: its title, its constant, or what it is. */
export function nameOfBranch(root: unknown, given: Schema): string {
  const { $ref } = given;
  const schema = resolved(root, given);
  if (typeof schema['title'] === 'string') return schema['title'];
  if ('const' in schema) return wordOf(schema['const']);
  const properties = Object.values((schema['properties'] ?? {}) as Schema);
  const constants = properties.flatMap((each) => {
    const property = resolved(root, each);
    return 'const' in property ? [wordOf(property['const'])] : [];
  });
  if (constants.length > 0) return constants.join(', ');
  if (Array.isArray(schema['enum'])) return (schema['enum'] as unknown[]).map(wordOf).join(' or ');
  if (typeof $ref === 'string') return decodeURIComponent($ref.slice($ref.lastIndexOf('/') + 1));
  const required = (schema['required'] as string[] | undefined) ?? [];
  if (schema['type'] === 'object' && required.length > 0) return `with ${required.join(', ')}`;
  return typeNames[String(schema['type'])] ?? 'anything, as JSON';
}

/** A value as one of several to choose from. */
export function wordOf(value: unknown): string {
  return value === null ? 'nothing (null)' : typeof value === 'string' ? value : JSON.stringify(value);
}
