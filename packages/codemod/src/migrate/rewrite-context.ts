import { ts } from '@toolwright/schema-compiler/project';
import { bare, constantOf, propertiesOf } from './constants.js';
import { referencesTo } from './references.js';
import { ConversionProblem } from './migration.js';
import type { Rewriter } from './rewriter.js';

/** The members of the SDK's request context that have a counterpart: those of version 1, and those of version 2. */
const members: Readonly<Record<string, string>> = {
  signal: 'signal',
  sessionId: 'sessionId',
  requestId: 'requestId',
  'mcpReq.signal': 'signal',
  'mcpReq.id': 'requestId',
};

const senders = ['sendNotification', 'mcpReq.notify'];

interface ContextUse {
  parameter: ts.ParameterDeclaration;
  body: ts.Node;
  /** The name of the new parameter. */
  name: string;
  rewriter: Rewriter;
  checker: ts.TypeChecker;
}

/**
 * Rewrites the uses of the SDK's second parameter (`extra`, `ctx`) for a `ToolContext`.
 *
 * @returns a statement to put first, or an empty text; undefined if the handler does not use the parameter
 * @throws {ConversionProblem} a use has no counterpart
 */
export function rewriteContext(use: ContextUse): string | undefined {
  const { parameter, body, checker, name } = use;
  if (ts.isObjectBindingPattern(parameter.name)) return destructured(parameter.name, name);
  const uses = referencesTo(parameter, body, checker);
  if (uses.length === 0) return undefined;
  const tokens = uses.flatMap((each) => progressToken(each));
  for (const token of tokens) rewriteToken(token, use);
  for (const each of uses) if (!isInToken(each, tokens)) rewriteUse(each, use);
  return '';
}

function destructured(pattern: ts.ObjectBindingPattern, name: string): string {
  for (const { propertyName, name: bound } of pattern.elements) {
    const member = (propertyName ?? bound).getText();
    if (members[member] !== member) throw unknown(pattern, member);
  }
  return `const ${pattern.getText()} = ${name};`;
}

function unknown(node: ts.Node, member: string): ConversionProblem {
  return new ConversionProblem(
    node,
    `The handler uses "${member}" of the SDK's context.`,
    'Write the method by hand with a parameter ctx: ToolContext (docs/context.md).',
  );
}

/** The member of the context at a name, as a path, and the node that is the whole access. */
function accessAt(name: ts.Identifier): { path: string; node: ts.Expression } {
  let node: ts.Expression = name;
  const path: string[] = [];
  while (ts.isPropertyAccessExpression(node.parent) && node.parent.expression === node) {
    node = node.parent;
    path.push((node as ts.PropertyAccessExpression).name.text);
    if (members[path.join('.')] || senders.includes(path.join('.'))) break;
  }
  return { path: path.join('.'), node };
}

function rewriteUse(each: ts.Identifier, { name, rewriter, checker }: ContextUse): void {
  const { path, node } = accessAt(each);
  if (members[path]) return rewriter.replace(node, `${name}.${members[path]}`);
  const call = node.parent;
  if (ts.isCallExpression(call) && call.expression === node) {
    if (senders.includes(path)) return rewriteNotification(call, { name, rewriter, checker });
    const [level, ...data] = call.arguments;
    const value = level && constantOf(level, checker)?.value;
    if (path === 'mcpReq.log' && typeof value === 'string' && data[0])
      return rewriter.replace(call, `${name}.log.${value}(`, ...commas(data), ')');
  }
  throw unknown(each, path || each.text);
}

function rewriteNotification(
  call: ts.CallExpression,
  { name, rewriter, checker }: Pick<ContextUse, 'name' | 'rewriter' | 'checker'>,
): void {
  const [message] = call.arguments;
  const fields = message && ts.isObjectLiteralExpression(message) ? propertiesOf(message) : undefined;
  const method = fields?.get('method');
  const params = fields?.get('params');
  const values = params && ts.isObjectLiteralExpression(params) ? propertiesOf(params) : undefined;
  const kind = method && constantOf(method, checker)?.value;
  if (kind === 'notifications/progress' && values?.has('progress')) {
    const [total, text] = [values.get('total'), values.get('message')];
    const rest = text ? [total ?? 'undefined', text] : total ? [total] : [];
    return rewriter.replace(call, `${name}.progress(`, ...commas([values.get('progress')!, ...rest]), ')');
  }
  const level = values?.get('level');
  const severity = level && constantOf(level, checker)?.value;
  const data = values?.get('data');
  if (kind === 'notifications/message' && typeof severity === 'string' && data)
    return rewriter.replace(call, `${name}.log.${severity}(`, ...commas([data, values!.get('logger')]), ')');
  throw unknown(call, 'sendNotification');
}

function commas(parts: readonly (ts.Node | string | undefined)[]): (ts.Node | string)[] {
  return parts
    .filter((part) => part !== undefined)
    .flatMap((part, index) => (index === 0 ? [part] : [', ', part]));
}

/** `const token = extra._meta?.progressToken;`: `ctx.progress` asks this itself. */
function progressToken(use: ts.Identifier): ts.VariableDeclaration[] {
  const { path, node } = accessAt(use);
  if (path !== '_meta.progressToken') return [];
  const { parent } = node;
  const isPlain =
    ts.isVariableDeclaration(parent) &&
    ts.isIdentifier(parent.name) &&
    ts.isVariableDeclarationList(parent.parent) &&
    parent.parent.declarations.length === 1;
  return isPlain ? [parent] : [];
}

function isInToken(node: ts.Node, tokens: readonly ts.VariableDeclaration[]): boolean {
  return tokens.some((token) => node.pos >= token.pos && node.end <= token.end);
}

/** Removes a constant with the progress token, and the conditions that ask for it. */
function rewriteToken(token: ts.VariableDeclaration, { body, rewriter, checker }: ContextUse): void {
  const statement = token.parent.parent;
  const { text } = token.getSourceFile();
  const margin = /[ \t]*$/.exec(text.slice(0, statement.getStart()))![0].length;
  const rest = /^[ \t]*(\r?\n)?/.exec(text.slice(statement.getEnd()))![0].length;
  rewriter.replaceRange(statement.getStart() - margin, statement.getEnd() + rest);
  for (const use of referencesTo(token, body, checker)) {
    const condition = conditionOn(use);
    if (condition) rewriter.replace(condition, onlyStatement(condition.thenStatement));
    else if (!ts.isShorthandPropertyAssignment(use.parent) && !ts.isPropertyAssignment(use.parent))
      throw unknown(use, '_meta.progressToken');
  }
}

function onlyStatement(node: ts.Statement): ts.Statement {
  return ts.isBlock(node) && node.statements.length === 1 ? node.statements[0]! : node;
}

/** `if (token)`, `if (token !== undefined)`. */
function conditionOn(use: ts.Identifier): ts.IfStatement | undefined {
  const test =
    ts.isBinaryExpression(use.parent) && /^!==?$/.test(use.parent.operatorToken.getText()) ? use.parent : use;
  const { parent } = test;
  return ts.isIfStatement(parent) && bare(parent.expression) === test && !parent.elseStatement
    ? parent
    : undefined;
}
