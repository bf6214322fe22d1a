import { ts } from '@toolwright/schema-compiler/project';
import { bare, constantOf, nameOf, valueOf } from './constants.js';
import { ConversionProblem } from './migration.js';
import { referencesTo } from './references.js';
import { type FoundRegistration, readRegistration, registering } from './registration.js';
import { isSdkServer } from './sdk-server.js';

/** A call that registers something, and what was read of it, or why it was not. */
export interface FoundCall {
  readonly call: ts.CallExpression;
  readonly kind: string;
  /** As the server would publish it, or else the first argument as it is written. */
  readonly name: string;
  readonly read: FoundRegistration | ConversionProblem;
}

/** Every call in a file that registers something with a server of the official SDK. */
export function findRegistrations(file: ts.SourceFile, checker: ts.TypeChecker): FoundCall[] {
  const found: FoundCall[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const method = methodOf(node, checker);
      if (method !== undefined) found.push(read(node, method, checker));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function methodOf({ expression }: ts.CallExpression, checker: ts.TypeChecker): string | undefined {
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const method = expression.name.text;
  if (method === 'registerToolTask') return ofTasks(expression, checker) ? method : undefined;
  if (!Object.hasOwn(registering, method)) return undefined;
  return isSdkServer(expression.expression, checker) ? method : undefined;
}

/** `server.experimental.tasks.registerToolTask`. */
function ofTasks(node: ts.PropertyAccessExpression, checker: ts.TypeChecker): boolean {
  let receiver: ts.Expression = node;
  while (ts.isPropertyAccessExpression(receiver)) receiver = receiver.expression;
  return isSdkServer(receiver, checker);
}

function read(call: ts.CallExpression, method: string, checker: ts.TypeChecker): FoundCall {
  const [first] = call.arguments;
  const value = first && constantOf(first, checker)?.value;
  const name = typeof value === 'string' ? value : (first?.getText() ?? '');
  try {
    if (method === 'registerToolTask')
      throw new ConversionProblem(
        call,
        'The tool is a task.',
        'Write a decorated method with @McpTool({ task: ... }) (docs/tasks.md).',
      );
    const registration = readRegistration(call, method, checker);
    return { call, kind: registration.kind, name: registration.name, read: registration };
  } catch (error) {
    if (!(error instanceof ConversionProblem)) throw error;
    return { call, kind: registering[method] ?? 'tool', name, read: error };
  }
}

/** A file whose loops over tables are written out, one call for each element. */
export interface Unrolled {
  readonly text: string;
  /** Where a place in `text` is in the file as it was. */
  originalPlace(position: number): number;
}

interface Loop {
  /** The statement that is replaced. */
  readonly statement: ts.Statement;
  readonly variable: ts.VariableDeclaration | ts.ParameterDeclaration;
  readonly table: ts.Expression;
  readonly call: ts.CallExpression;
}

/**
 * Writes out `for (const tool of tools) server.tool(tool.name, …)` and `tools.forEach((tool) => …)`, where `tools` is an
 * array that the source writes out, or `Object.values` of such an object.
 *
 * @returns undefined if the file has no such loop
 */
export function unrollLoops(file: ts.SourceFile, checker: ts.TypeChecker): Unrolled | undefined {
  const loops: { start: number; end: number; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    const loop = loopAt(node, checker);
    const elements = loop && elementsOf(loop.table, checker);
    if (!loop || !elements) return ts.forEachChild(node, visit);
    const text = elements.map((element) => callFor(element, loop, checker)).join('\n');
    loops.push({ start: loop.statement.getStart(file), end: loop.statement.getEnd(), text });
  };
  visit(file);
  if (loops.length === 0) return undefined;
  const before = file.text;
  let text = '';
  let at = 0;
  const starts: { now: number; end: number; original: number; isLoop: boolean }[] = [];
  const add = (piece: string, original: number, isLoop: boolean) => {
    starts.push({ now: text.length, end: text.length + piece.length, original, isLoop });
    text += piece;
  };
  for (const loop of loops) {
    add(before.slice(at, loop.start), at, false);
    add(loop.text, loop.start, true);
    at = loop.end;
  }
  add(before.slice(at), at, false);
  return {
    text,
    originalPlace(position) {
      const piece = starts.find(({ end }) => position < end) ?? starts.at(-1)!;
      return piece.isLoop ? piece.original : piece.original + position - piece.now;
    },
  };
}

function loopAt(node: ts.Node, checker: ts.TypeChecker): Loop | undefined {
  if (ts.isForOfStatement(node)) {
    const { initializer, expression, statement } = node;
    const [variable] = ts.isVariableDeclarationList(initializer) ? initializer.declarations : [];
    const call = onlyCall(statement, checker);
    return variable && call && ts.isIdentifier(variable.name)
      ? { statement: node, variable, table: expression, call }
      : undefined;
  }
  if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) return undefined;
  const { expression: callee, arguments: given } = node.expression;
  const [callback] = given;
  const isEach = ts.isPropertyAccessExpression(callee) && callee.name.text === 'forEach';
  if (!isEach || given.length !== 1 || !callback || !ts.isArrowFunction(callback)) return undefined;
  const [variable, ...more] = callback.parameters;
  const call = onlyCall(callback.body, checker);
  return variable && call && more.length === 0 && ts.isIdentifier(variable.name)
    ? { statement: node, variable, table: callee.expression, call }
    : undefined;
}

/** The call that registers, if there is nothing else in the body of a loop. */
function onlyCall(body: ts.Node, checker: ts.TypeChecker): ts.CallExpression | undefined {
  const only = ts.isBlock(body) && body.statements.length === 1 ? body.statements[0]! : body;
  const expression = ts.isExpressionStatement(only) ? only.expression : only;
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression))
    return undefined;
  const { name, expression: server } = expression.expression;
  return Object.hasOwn(registering, name.text) && isSdkServer(server, checker) ? expression : undefined;
}

/** How the source can name each element of a table, or undefined if the table is made when the program runs. */
function elementsOf(table: ts.Expression, checker: ts.TypeChecker): string[] | undefined {
  const expression = bare(table);
  const object = ts.isCallExpression(expression) ? argumentOfValues(expression) : undefined;
  if (object) {
    const value = valueOf(object, checker);
    if (!ts.isObjectLiteralExpression(value)) return undefined;
    const names = value.properties.map((each) => each.name && nameOf(each.name));
    if (!names.every((each) => each !== undefined && /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(each)))
      return undefined;
    return names.map((name) => `${object.getText()}.${name}`);
  }
  const value = valueOf(expression, checker);
  if (!ts.isArrayLiteralExpression(value) || value.elements.some(ts.isSpreadElement)) return undefined;
  const isHere = value.getSourceFile() === table.getSourceFile();
  if (isHere && value.elements.every(ts.isIdentifier)) return value.elements.map((each) => each.getText());
  return ts.isIdentifier(expression)
    ? value.elements.map((_each, index) => `${expression.text}[${index}]!`)
    : undefined;
}

/** `Object.values(tools)` */
function argumentOfValues({ expression, arguments: given }: ts.CallExpression): ts.Identifier | undefined {
  const [object] = given;
  return expression.getText() === 'Object.values' && object && ts.isIdentifier(object) ? object : undefined;
}

function callFor(element: string, { variable, call }: Loop, checker: ts.TypeChecker): string {
  const start = call.getStart();
  let text = call.getText();
  for (const use of referencesTo(variable, call, checker).toReversed())
    text = text.slice(0, use.getStart() - start) + element + text.slice(use.getEnd() - start);
  return `${text};`;
}
