import { ts } from '@toolwright/schema-compiler/project';
import { constantOf, isIdentifierName, isReserved } from './constants.js';
import { ConversionProblem } from './migration.js';
import { namesIn, referencesTo } from './references.js';
import type { FoundRegistration } from './registration.js';
import { type Properties, shapeOf } from './zod/shape.js';
import type { ZodReader } from './zod/zod-reader.js';

/** A function that the SDK calls with arguments. */
export type InlineHandler = ts.ArrowFunction | ts.FunctionExpression;

/**
 * How the arguments reach the method. `each`: every property is a parameter. `one`: an object, under a name
 * or taken apart by a pattern.
 */
export type ParameterPlan =
  | { form: 'none' }
  | {
      form: 'each';
      accesses: ts.PropertyAccessExpression[];
      initializers: ReadonlyMap<string, ts.Expression>;
    }
  | { form: 'one'; binding: ts.Identifier | ts.ObjectBindingPattern | undefined };

/** @throws {ConversionProblem} the handler uses arguments that the schema does not name */
export function planParameters(
  properties: Properties,
  parameter: ts.ParameterDeclaration | undefined,
  handler: InlineHandler,
  checker: ts.TypeChecker,
): ParameterPlan {
  const { body } = handler;
  if (properties.size === 0) {
    const uses = parameter && ts.isIdentifier(parameter.name) ? referencesTo(parameter, body, checker) : [];
    if (uses.length === 0) return { form: 'none' };
    throw new ConversionProblem(
      uses[0]!,
      'The handler uses arguments that no schema names.',
      'Write the method by hand.',
    );
  }
  if (parameter?.initializer || parameter?.dotDotDotToken) return { form: 'one', binding: undefined };
  const name = parameter?.name;
  const one = { form: 'one', binding: name && !ts.isArrayBindingPattern(name) ? name : undefined } as const;
  const canName = [...properties.keys()].every((each) => isIdentifierName(each) && !isReserved(each));
  if (!name || !canName) return one;
  if (ts.isObjectBindingPattern(name)) return ofPattern(name, properties, body) ?? one;
  const accesses = accessesOf(parameter, body, checker);
  const others = namesIn(body).filter((each) => !accesses?.some(({ expression }) => expression === each));
  const isFree = accesses && !others.some((each) => properties.has(each.text));
  return isFree ? { form: 'each', accesses, initializers: new Map() } : one;
}

/** `{ a, b = 1 }` reads like parameters, if it names no property anew and the body knows no other of that name. */
function ofPattern(
  pattern: ts.ObjectBindingPattern,
  properties: Properties,
  body: ts.Node,
): ParameterPlan | undefined {
  const initializers = new Map<string, ts.Expression>();
  const named = new Set<string>();
  for (const { propertyName, dotDotDotToken, name, initializer } of pattern.elements) {
    if (propertyName || dotDotDotToken || !ts.isIdentifier(name) || !properties.has(name.text))
      return undefined;
    named.add(name.text);
    if (initializer) initializers.set(name.text, initializer);
  }
  const hidden = namesIn(body).some(({ text }) => properties.has(text) && !named.has(text));
  return hidden ? undefined : { form: 'each', accesses: [], initializers };
}

/** All uses of the arguments, if each of them is `args.name`. */
function accessesOf(
  parameter: ts.ParameterDeclaration,
  body: ts.Node,
  checker: ts.TypeChecker,
): ts.PropertyAccessExpression[] | undefined {
  const accesses = referencesTo(parameter, body, checker).map(({ parent }) => parent);
  return accesses.every(ts.isPropertyAccessExpression) ? accesses : undefined;
}

/** The arguments of a tool or a prompt, or the variables of a template. */
export function readProperties({ kind, input, uri }: FoundRegistration, reader: ZodReader): Properties {
  if (kind !== 'resourceTemplate') return input ? propertiesOf(input, reader) : new Map();
  const template = constantOf(uri!, reader.checker)?.value;
  const variables = [...String(template).matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!);
  if (typeof template !== 'string' || !variables.every((name) => /^\w+$/.test(name)))
    throw new ConversionProblem(
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
    throw new ConversionProblem(
      value,
      'The schema accepts arguments that it does not name.',
      'Take them in a parameter of its own, such as more: Record<string, unknown>.',
    );
  return reader.readProperties(input);
}

/** The parameters of a handler. What they are depends on the kind, and on whether there is a schema. */
export function rolesOf(
  { kind, input }: FoundRegistration,
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
