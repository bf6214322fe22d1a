import type { BoundOperation } from '@toolwright/core';
import type { Kind, Operation } from '../../api/surface-api.js';

type Schema = Operation['input'];

/** The names in the braces of a URI template: `page://{id}{?limit,sort}`. */
const EXPRESSION = /\{[+#./;?&]?([^}]+)\}/g;

/** The JSON Schema of the arguments, whatever the kind. Prompts and templates take only text. */
export function argumentSchema(
  kind: Kind,
  listed: Readonly<Record<string, unknown>>,
  bound: BoundOperation | undefined,
): Schema {
  if (kind === 'tool')
    return (bound as { inputSchema?: Schema } | undefined)?.inputSchema ?? (listed['inputSchema'] as Schema);
  if (kind === 'prompt') return promptSchema(listed);
  return kind === 'resourceTemplate' ? templateSchema(String(listed['uriTemplate'])) : textObject({}, []);
}

function promptSchema({ arguments: args = [] }: Readonly<Record<string, unknown>>): Schema {
  const listed = args as { name: string; title?: string; description?: string; required?: boolean }[];
  const properties = listed.map(({ name, title, description }) => [
    name,
    {
      type: 'string',
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
    },
  ]);
  return textObject(
    Object.fromEntries(properties) as Schema,
    listed.filter(({ required }) => required).map(({ name }) => name),
  );
}

function templateSchema(template: string): Schema {
  const names = [...template.matchAll(EXPRESSION)].flatMap(([, list]) =>
    list!.split(',').map((name) => name.replace(/[*:].*$/, '')),
  );
  return textObject(Object.fromEntries(names.map((name) => [name, { type: 'string' }])), names);
}

function textObject(properties: Schema, required: readonly string[]): Schema {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}
