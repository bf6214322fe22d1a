import { cutText, isObject, referredSchema } from '@toolwright/json';
import type { BoundTool } from '@toolwright/core';
import { writeJson } from '@toolwright/core/transport';

type JsonSchema = BoundTool['inputSchema'];

const LONGEST = 240;
const MOST_MEMBERS = 12;
const DEEPEST = 3;

/** What a result is made of, in one line: `{ results: { id, title, url }[] }`. */
export function outputLine(schema: JsonSchema): string {
  return cutText(describe(schema, schema, 0), LONGEST, '…');
}

function describe(schema: JsonSchema, root: JsonSchema, depth: number): string {
  const { type, properties, items, enum: values, anyOf, oneOf } = referredSchema(schema, root);
  if (properties && depth < DEEPEST) {
    const all = Object.entries(properties);
    const members = all.slice(0, MOST_MEMBERS).map(([name, each]) => member(name, each, { root, depth }));
    return `{ ${[...members, ...(all.length > MOST_MEMBERS ? ['…'] : [])].join(', ')} }`;
  }
  if (isObject(items)) return `${describe(items as JsonSchema, root, depth)}[]`;
  if (values) return values.map((value) => writeJson(value)).join(' | ');
  const choices = anyOf ?? oneOf;
  if (choices && depth < DEEPEST) return choices.map((each) => describe(each, root, depth + 1)).join(' | ');
  return type === undefined ? 'any' : [type].flat().join(' | ');
}

function member(
  name: string,
  schema: JsonSchema,
  { root, depth }: { root: JsonSchema; depth: number },
): string {
  const text = describe(schema, root, depth + 1);
  return text === 'string' || text === 'any' ? name : `${name}: ${text}`;
}
