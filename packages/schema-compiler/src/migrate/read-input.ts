import { ts } from 'typescript-json-schema';
import { constantOf } from './constants.js';
import type { InlineHandler } from './plan-parameters.js';
import { Refusal } from './refusal.js';
import type { Registration } from './registration.js';
import { shapeOf, type Properties } from './zod/shape.js';
import type { ZodReader } from './zod/zod-reader.js';

/** The arguments of a tool or a prompt, or the variables of a template. */
export function readProperties({ kind, input, uri }: Registration, reader: ZodReader): Properties {
  if (kind !== 'resourceTemplate') return input ? propertiesOf(input, reader) : new Map();
  const template = constantOf(uri!, reader.checker)?.value;
  const variables = [...String(template).matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!);
  if (typeof template !== 'string' || !variables.every((name) => /^\w+$/.test(name)))
    throw new Refusal(
      uri!,
      'The template is not written out, or has variables that are not plain.',
      'Write an @McpResourceTemplate by hand (docs/resources-and-prompts.md).',
    );
  return new Map(variables.map((name) => [name, shapeOf({ is: 'string' })]));
}

function propertiesOf(input: ts.Expression, reader: ZodReader): Properties {
  const value = reader.valueOf(input);
  const kind = ts.isCallExpression(value) ? reader.read(value).kind : undefined;
  if (kind?.is === 'object' && kind.open)
    throw new Refusal(
      value,
      'The schema accepts arguments that it does not name.',
      'Take them in a parameter of its own, such as more: Record<string, unknown>.',
    );
  return reader.readProperties(input);
}

/** The parameters of a handler. What they are depends on the kind, and on whether there is a schema. */
export function rolesOf(
  { kind, input }: Registration,
  { parameters }: InlineHandler,
): Partial<Record<'args' | 'extra' | 'uri', ts.ParameterDeclaration>> {
  const [first, second, third] = parameters;
  const roles =
    kind === 'resource'
      ? { uri: first, extra: second }
      : kind === 'resourceTemplate'
        ? { uri: first, args: second, extra: third }
        : input
          ? { args: first, extra: second }
          : { extra: first };
  return Object.fromEntries(Object.entries(roles).filter(([, each]) => each !== undefined));
}
