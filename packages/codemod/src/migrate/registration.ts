import { ts } from '@toolwright/schema-compiler/project';
import { constantOf, propertiesOf, valueOf } from './constants.js';
import { ConversionProblem } from './migration.js';
import { sdkNameOf } from './sdk-server.js';

export type RegistrationKind = 'tool' | 'resource' | 'resourceTemplate' | 'prompt';

/** One call that registers something with a server of the official SDK. */
export interface FoundRegistration {
  readonly kind: RegistrationKind;
  readonly call: ts.CallExpression;
  /** The statement that consists of the call. */
  readonly statement: ts.ExpressionStatement;
  readonly name: string;
  /** The options by their names in `@toolwright/core`: `title`, `annotations`, `meta`, … */
  readonly options: ReadonlyMap<string, ts.Expression>;
  readonly description: ts.Expression | undefined;
  readonly input: ts.Expression | undefined;
  readonly output: ts.Expression | undefined;
  /** The URI of a resource, or the template of a resource template. */
  readonly uri: ts.Expression | undefined;
  readonly handler: ts.Expression;
  /** The class whose method registers. It gets the new method. */
  readonly owner: NamedClass | undefined;
}

export type NamedClass = ts.ClassDeclaration & { readonly name: ts.Identifier };

/** The methods of the SDK that register something, and the kind of thing. */
export const registering: Readonly<Record<string, 'tool' | 'resource' | 'prompt'>> = {
  registerTool: 'tool',
  tool: 'tool',
  registerResource: 'resource',
  resource: 'resource',
  registerPrompt: 'prompt',
  prompt: 'prompt',
};

const shared = { title: 'title', description: 'description', icons: 'icons', _meta: 'meta' };

/** The options that have a counterpart, and its name there. */
const known: Readonly<Record<'tool' | 'resource' | 'prompt', Readonly<Record<string, string>>>> = {
  tool: { ...shared, annotations: 'annotations', inputSchema: 'input', outputSchema: 'output' },
  prompt: { ...shared, argsSchema: 'input' },
  resource: { ...shared, mimeType: 'mimeType', size: 'size', annotations: 'annotations' },
};

/**
 * Reads a call such as `server.registerTool('name', { … }, handler)`.
 *
 * @throws {ConversionProblem} the call has a form that is not understood
 */
export function readRegistration(
  call: ts.CallExpression,
  method: string,
  checker: ts.TypeChecker,
): FoundRegistration {
  const { statement, owner } = statementOf(call);
  const kind = registering[method]!;
  const [first, ...rest] = call.arguments;
  const handler = rest.pop();
  if (!first || !handler || call.arguments.some(ts.isSpreadElement))
    throw new ConversionProblem(
      call,
      'The call has not the arguments that are known.',
      'Write a decorated method by hand.',
    );
  const name = constantOf(first, checker)?.value;
  if (typeof name !== 'string')
    throw new ConversionProblem(
      first,
      'The name is computed when the program runs.',
      'Use server.tools.add of @toolwright/core, or write the name out.',
    );
  const uri = kind === 'resource' ? rest.shift() : undefined;
  const options = method.startsWith('register')
    ? readOptions(rest[0] ?? call, kind, checker)
    : readShort(rest, kind, checker);
  const take = (option: string) => {
    const found = options.get(option);
    options.delete(option);
    return found;
  };
  const template = uri && templateOf(uri, checker);
  return {
    kind: template ? 'resourceTemplate' : kind,
    call,
    statement,
    name,
    description: take('description'),
    input: take('input'),
    output: take('output'),
    options,
    uri: template ?? uri,
    handler,
    owner,
  } satisfies FoundRegistration & { kind: RegistrationKind };
}

/** A registration under a condition or in a loop is not the same as a method of a class. */
function statementOf(call: ts.CallExpression): Pick<FoundRegistration, 'statement' | 'owner'> {
  const { parent } = call;
  if (!ts.isExpressionStatement(parent))
    throw new ConversionProblem(
      call,
      'The program keeps what this call returns, to change or remove it later.',
      'Change tools of a running server with server.tools of @toolwright/core (docs/changing-a-running-server.md).',
    );
  const block = parent.parent;
  const isPlain =
    ts.isSourceFile(block) ||
    (ts.isBlock(block) && ts.isFunctionLike(block.parent) && !ts.isClassElement(block.parent));
  if (isPlain) return { statement: parent, owner: undefined };
  if (ts.isBlock(block) && ts.isClassElement(block.parent)) {
    const owner = block.parent.parent;
    const isStatic = ts.getCombinedModifierFlags(block.parent as ts.Declaration) & ts.ModifierFlags.Static;
    if (isService(owner) && !isStatic) return { statement: parent, owner };
    throw new ConversionProblem(
      call,
      'The call is inside a class that cannot be a service: it is abstract, static or has no name.',
      'Make the handler a decorated method of a class of its own.',
    );
  }
  throw new ConversionProblem(
    call,
    'The call depends on a condition or is in a loop.',
    'Ask in the method instead, for example with ctx.client, or use server.tools.add of @toolwright/core.',
  );
}

function isService(node: ts.Node): node is NamedClass {
  return (
    ts.isClassDeclaration(node) &&
    node.name !== undefined &&
    ts.isSourceFile(node.parent) &&
    !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AbstractKeyword)
  );
}

type Options = Map<string, ts.Expression>;

function readOptions(
  node: ts.Expression,
  kind: 'tool' | 'resource' | 'prompt',
  checker: ts.TypeChecker,
): Options {
  const value = valueOf(node, checker);
  const properties = ts.isObjectLiteralExpression(value) ? propertiesOf(value) : undefined;
  if (!properties)
    throw new ConversionProblem(
      node,
      'The options are not written out as an object.',
      'Write them out, and run the command again.',
    );
  const options: Options = new Map();
  for (const [name, expression] of properties) {
    const own = Object.hasOwn(known[kind], name) ? known[kind][name] : undefined;
    if (own === undefined)
      throw new ConversionProblem(
        expression,
        `The option "${name}" has no counterpart that is known.`,
        'Write a decorated method by hand, or remove the option.',
      );
    options.set(own, expression);
  }
  return options;
}

/** `server.tool(name, description?, shape?, annotations?, handler)` and its siblings. */
function readShort(
  rest: readonly ts.Expression[],
  kind: 'tool' | 'resource' | 'prompt',
  checker: ts.TypeChecker,
): Options {
  const options: Options = new Map();
  for (const argument of rest) {
    const value = valueOf(argument, checker);
    if (ts.isStringLiteralLike(value) || ts.isBinaryExpression(value)) options.set('description', argument);
    else if (kind === 'resource')
      for (const [name, each] of readOptions(argument, kind, checker)) options.set(name, each);
    else if (isAnnotations(value, checker)) options.set('annotations', argument);
    else options.set('input', argument);
  }
  return options;
}

/** An object of hints. An empty object is an empty schema, and so is one whose `title` is a schema. */
function isAnnotations(value: ts.Expression, checker: ts.TypeChecker): boolean {
  const hints = constantOf(value, checker)?.value;
  if (typeof hints !== 'object' || hints === null) return false;
  const names = Object.keys(hints);
  return names.length > 0 && names.every((name) => name === 'title' || /Hint$/.test(name));
}

/** The template of `new ResourceTemplate('x://{id}', { list: undefined })`, or undefined for a plain URI. */
function templateOf(node: ts.Expression, checker: ts.TypeChecker): ts.Expression | undefined {
  const value = valueOf(node, checker);
  if (!ts.isNewExpression(value) || sdkNameOf(value.expression, checker) !== 'ResourceTemplate')
    return undefined;
  const [template, callbacks] = value.arguments ?? [];
  const more = callbacks && valueOf(callbacks, checker);
  const names = more && ts.isObjectLiteralExpression(more) ? propertiesOf(more) : undefined;
  const isPlain = [...(names ?? [])].every(
    ([name, each]) => name === 'list' && each.getText() === 'undefined',
  );
  if (template && (!more || names) && isPlain) return template;
  throw new ConversionProblem(
    value,
    'The template has callbacks that list or complete its resources.',
    'Write an @McpResourceTemplate by hand, and use @CompletionProvider for completions.',
  );
}
