import { ts } from 'typescript-json-schema';
import { isIdentifierName, isReserved } from './code-style.js';
import { namesIn, referencesTo } from './references.js';
import { Refusal } from './refusal.js';
import type { Properties } from './zod/shape.js';

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

/** @throws {Refusal} the handler uses arguments that the schema does not name */
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
    throw new Refusal(
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
