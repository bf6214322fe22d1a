import { ts } from '@toolwright/schema-compiler/project';
import { indentAt } from '../edits/insertion.js';
import {
  type BoundParameter,
  type DraftContext,
  type Level,
  type DraftedMethod,
  bindParameters,
} from './drafted-class.js';
import { bare, declarationOf, printValue, valueOf } from './constants.js';
import { Rewriter, indentLines } from './rewriter.js';
import { type InlineHandler, planParameters, readProperties, rolesOf } from './plan-parameters.js';
import { localsAround, namesIn, referencesTo } from './references.js';
import { ConversionProblem } from './migration.js';
import type { FoundRegistration, RegistrationKind } from './registration.js';
import { rewriteContext } from './rewrite-context.js';
import { rewriteParse, rewriteSimple } from './rewrite-simple.js';
import { rewriteReturns, rewriteThrows } from './rewrite-returns.js';
import { expressionText, writeMethod, writeParameters } from './write-method.js';
import { type Properties, objectSchemaOf, shapeOf } from './zod/shape.js';
import { pascal } from './zod/type-writer.js';
import { ZodReader } from './zod/zod-reader.js';

const results: Readonly<Record<RegistrationKind, string>> = {
  tool: 'ToolResult',
  prompt: 'PromptResult',
  resource: 'ResourceResult',
  resourceTemplate: 'ResourceResult',
};

/**
 * Writes the method for a registration.
 *
 * @throws {ConversionProblem} something about it is not understood
 */
export function draftMethod(
  registration: FoundRegistration,
  methodName: string,
  level: Level,
  draft: DraftContext,
): DraftedMethod {
  const { checker } = draft;
  const handler = ofRow(bare(registration.handler), draft) ?? bare(registration.handler);
  const reader = new ZodReader(checker);
  const properties = readProperties(registration, reader);
  const output = registration.output && reader.readProperties(registration.output);
  const notes = reader.coerced.map(noteCoerced);
  const request = { registration, handler, methodName, level, properties, output, notes };
  if (ts.isArrowFunction(handler) || ts.isFunctionExpression(handler))
    return fromInline(handler, request, draft);
  return fromName(handler, request, draft);
}

/** The function in a row of a table: the method takes its body, and the table goes. */
function ofRow(handler: ts.Expression, { file, checker }: DraftContext): ts.Expression | undefined {
  if (!ts.isPropertyAccessExpression(handler) || !ts.isElementAccessExpression(bare(handler.expression)))
    return undefined;
  const value = valueOf(handler, checker);
  return value.getSourceFile() === file ? value : undefined;
}

interface Request {
  registration: FoundRegistration;
  handler: ts.Expression;
  methodName: string;
  level: Level;
  properties: Properties;
  output: Properties | undefined;
  notes: readonly ConversionProblem[];
}

function noteCoerced(call: ts.CallExpression): ConversionProblem {
  return new ConversionProblem(
    call,
    `${call.expression.getText()}() also accepted other values, such as "7" for 7.`,
    'Clients send JSON. If one of yours sends text for numbers, set coerce: true in createMcpServer.',
  );
}

function fromInline(handler: InlineHandler, request: Request, draft: DraftContext): DraftedMethod {
  const { registration, level, properties, output } = request;
  const { file, checker, style, textName } = draft;
  const rewriter = new Rewriter(file);
  const bound = bindParameters(handler, registration.owner, { rewriter, checker });
  const imports = new Set<string>();
  const { args, extra, uri } = rolesOf(registration, handler);
  if (args && registration.input) rewriteParse(args, registration.input, { handler, rewriter, checker });
  const plan = planParameters(properties, args, handler, checker);
  if (plan.form === 'each') for (const each of plan.accesses) rewriter.replace(each, each.name.text);
  const contextName = namesIn(handler.body).some(
    ({ text }) => text === 'ctx' && extra?.name.getText() !== 'ctx',
  )
    ? 'context'
    : 'ctx';
  const opening =
    extra && rewriteContext({ parameter: extra, body: handler.body, name: contextName, rewriter, checker });
  if (opening !== undefined) imports.add('ToolContext');
  const context = opening === undefined ? undefined : `${contextName}: ToolContext`;
  const parameters = writeParameters({ plan, properties, registration, context }, draft);

  const isTool = registration.kind === 'tool';
  if (isTool && rewriteThrows(handler, rewriter)) imports.add('ToolError');
  const isSimple =
    level === 0 &&
    (isTool
      ? rewriteReturns(output ? 'structured' : 'text', { handler, rewriter, checker, textName })
      : rewriteSimple({ handler, registration, rewriter, checker }) && new Set<string>());
  for (const name of isSimple || []) imports.add(name);
  const uriLine = uri && !isSimple ? uriStatement(uri, handler, registration, draft) : '';
  const first = [...(opening ? [opening] : []), ...parameters.first, ...(uriLine ? [uriLine] : [])];
  const returned = isSimple
    ? output && structuredType(output, request, draft, imports)
    : level === 2
      ? handler.type?.getText()
      : declaredType(handler, registration.kind, imports);
  return finish(request, draft, imports, {
    isAsync: isAsync(handler),
    parameters: parameters.list,
    tags: parameters.tags,
    returnType: returned ? `: ${returned}` : '',
    body: bodyText(handler, first, { file, indent: style.indent, rewriter }),
    options: !isSimple && output ? [outputOption(output, draft)] : [],
    bound,
  });
}

/** A handler that is a function of its own stays one, and the method calls it. */
function fromName(handler: ts.Expression, request: Request, draft: DraftContext): DraftedMethod {
  const { registration, properties, output } = request;
  const { checker } = draft;
  const called = signatureOf(handler, checker);
  const [local] = localsAround(handler, checker);
  if (!called || local)
    throw new ConversionProblem(
      handler,
      'The handler is not a function that is written out here.',
      'Write a decorated method that calls it.',
    );
  const uses = called.parameters.length;
  if (registration.kind !== 'tool' || uses > 1)
    throw new ConversionProblem(
      handler,
      `The function ${handler.getText()} takes more than the arguments.`,
      'Write a decorated method that calls it.',
    );
  const plan =
    properties.size === 0 ? ({ form: 'none' } as const) : ({ form: 'one', binding: undefined } as const);
  const { list, all = '{}' } = writeParameters({ plan, properties, registration, context: undefined }, draft);
  // An underscore marks a parameter that is not used.
  const parameters = uses === 0 ? list : list.map((each) => each.replace(/^_/, ''));
  const call = `return ${handler.getText()}(${uses === 0 ? '' : all});`;
  return finish(request, draft, new Set(), {
    isAsync: false,
    parameters,
    tags: [],
    returnType: '',
    body: `${draft.style.indent.repeat(2)}${call}\n`,
    options: output ? [outputOption(output, draft)] : [],
    bound: [],
  });
}

function finish(
  { registration, methodName, notes }: Request,
  draft: DraftContext,
  imports: Set<string>,
  { bound, ...parts }: Omit<Parameters<typeof writeMethod>[1], 'methodName'> & { bound: BoundParameter[] },
): DraftedMethod {
  const text = writeMethod(registration, { ...parts, methodName }, draft);
  return { registration, text, imports, bound, notes };
}

function isAsync({ modifiers }: InlineHandler): boolean {
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false;
}

function declaredType(handler: InlineHandler, kind: RegistrationKind, imports: Set<string>): string {
  imports.add(results[kind]);
  return isAsync(handler) ? `Promise<${results[kind]}>` : results[kind];
}

function structuredType(
  output: Properties,
  { registration, handler }: Request,
  { types }: DraftContext,
  imports: Set<string>,
): string {
  imports.add('Structured');
  const shape = shapeOf({ is: 'object', properties: output, closed: false, open: false });
  const type = `Structured<${types.typeOf(shape, `${pascal(registration.name)}Result`, registration.call)}>`;
  return isAsync(handler as InlineHandler) ? `Promise<${type}>` : type;
}

function outputOption(output: Properties, { style }: DraftContext): string {
  return `outputSchema: ${printValue(objectSchemaOf(output), style, style.indent.repeat(2))}`;
}

/** The SDK passes the URI of a resource as a `URL`. */
function uriStatement(
  parameter: ts.ParameterDeclaration,
  handler: InlineHandler,
  registration: FoundRegistration,
  { checker, style }: DraftContext,
): string {
  if (ts.isIdentifier(parameter.name) && referencesTo(parameter, handler.body, checker).length === 0)
    return '';
  if (registration.kind === 'resource')
    return `const ${parameter.name.getText()} = new URL(${expressionText(registration.uri!, style.quote, checker)});`;
  throw new ConversionProblem(
    parameter,
    'The handler uses the URI of the resource.',
    'Make the URI in the method from its parameters, or return the text alone.',
  );
}

function bodyText(
  { body }: InlineHandler,
  first: readonly string[],
  { file, indent, rewriter }: { file: ts.SourceFile; indent: string; rewriter: Rewriter },
): string {
  const margin = indent.repeat(2);
  const lines = first.map((line) => `${margin}${line}\n`).join('');
  if (!ts.isBlock(body)) {
    indentLines(body, indentAt(file.text, body.getStart(file)), margin, file, rewriter);
    const text = rewriter.textOf(body);
    return `${lines}${margin}return ${text.replace(/^\((\{[\s\S]*\})\)$/, '$1')};\n`;
  }
  const [statement] = body.statements;
  if (!statement) return lines;
  indentLines(body, indentAt(file.text, statement.getStart(file)), margin, file, rewriter);
  const text = rewriter.render(body.getStart(file) + 1, body.getEnd() - 1).replaceAll('\r\n', '\n');
  const isBelow = /^[ \t]*\n/.test(text);
  return `${lines}${isBelow ? text.replace(/^[ \t]*\n/, '').trimEnd() : margin + text.trim()}\n`;
}

/** The function that a handler names: a constant, a declaration, or a member of an object. */
function signatureOf(node: ts.Expression, checker: ts.TypeChecker): ts.SignatureDeclaration | undefined {
  const value = valueOf(node, checker);
  if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) return value;
  const declaration =
    ts.isIdentifier(value) || ts.isPropertyAccessExpression(value)
      ? declarationOf(ts.isPropertyAccessExpression(value) ? value.name : value, checker)
      : undefined;
  const isFunction =
    declaration && (ts.isFunctionDeclaration(declaration) || ts.isMethodDeclaration(declaration));
  return isFunction ? declaration : undefined;
}
