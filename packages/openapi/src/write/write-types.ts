import { comment, WRITTEN_WIDTH } from '@toolwright/json';
import type { ApiPlan } from '../model/plan-operations.js';
import { type JsonSchema, referredBy } from '../model/schema-facts.js';
import type { BoundedTypes } from './bounded-types.js';
import { boundsOf, noNames, objectText, tagsOf, typeText, type UsedNames } from './type-text.js';

/** Writes the types that the services share, in the order of their names. */
export function writeTypes(names: ReadonlySet<string>, plan: ApiPlan, bounded: BoundedTypes): string {
  const definitions = new Map([...plan.inputs, ...plan.outputs]);
  const isCircular = ([name, schema]: [string, JsonSchema]) =>
    !hasMembers(schema) && referredBy(schema, definitions).has(name);
  const circular = new Set([...definitions].filter(isCircular).map(([name]) => name));
  const used = { ...noNames(bounded), circular };
  const written = new Map<string, string>();
  // What is written names more types.
  const queue = new Set(names);
  for (const name of queue) {
    const [schema, alias] = [definitions.get(name), bounded.schemas.get(name)];
    if (schema) written.set(name, declaration(name, schema, plan.leftOut.get(name) ?? [], used));
    else if (alias) written.set(name, boundedType(name, alias, used));
    for (const each of used.types) queue.add(each);
  }
  const sorted = [...written].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return `${importsOf(used)}${sorted.join('\n')}`;
}

/** Without the empty object TypeScript would take a primitive type for the one that it is, and forget the name. */
function boundedType(name: string, schema: JsonSchema, used: UsedNames): string {
  const type = typeText(schema, used, '', 'items');
  const isPrimitive = /^[a-z]+$/.test(type);
  return `${comment(boundsOf(schema), '')}export type ${name} =${spaced(type)}${isPrimitive ? ' & {}' : ''};\n`;
}

function declaration(name: string, schema: JsonSchema, leftOut: readonly string[], used: UsedNames): string {
  if (!hasMembers(schema)) return `export type ${name} =${spaced(typeText(schema, used))};\n`;
  const note = leftOut.length === 0 ? '' : leftOutLines(leftOut);
  const { minProperties } = schema;
  const tags = comment(tagsOf(minProperties === undefined ? {} : { minProperties }), '');
  return `${tags}export interface ${name} ${objectText(schema, used, '').replace(/\}$/, `${note}}`)}\n`;
}

const hasMembers = ({ type, properties = {} }: JsonSchema) =>
  type === 'object' && Object.keys(properties).length > 0;

const spaced = (type: string) => (type.startsWith('\n') ? type : ` ${type}`);

/** What an answer has besides. A person who wants a field adds it to the type: nothing else lets it through. */
function leftOutLines(names: readonly string[]): string {
  const shown = names.filter((name) => /^[\w.-]+$/.test(name));
  const lines: string[] = [];
  for (const word of `Left out: ${shown.join(', ')}.`.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + word.length + 1 > WRITTEN_WIDTH) lines.push(`  // ${word}`);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return shown.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** The imports of a file of types. */
function importsOf(used: UsedNames): string {
  const lines = [
    ...(used.core.size > 0
      ? [`import type { ${[...used.core].sort().join(', ')} } from '@toolwright/core';`]
      : []),
    ...(used.openapi.size > 0
      ? [`import type { ${[...used.openapi].sort().join(', ')} } from '@toolwright/openapi';`]
      : []),
  ];
  return lines.length > 0 ? `${lines.join('\n')}\n\n` : '';
}
