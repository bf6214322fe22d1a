import { ts } from '@toolwright/schema-compiler/project';
import { bare, constantOf, declarationOf, propertiesOf } from './constants.js';
import { ownNodes } from './references.js';
import type { Rewriter } from './rewriter.js';

/** What a method may return in place of the protocol's own result. */
type ReturnForm = 'text' | 'structured';

interface Returned {
  /** The statement, or the expression that is the body of an arrow function. */
  place: ts.ReturnStatement | ts.Expression;
  fields: Map<string, ts.Expression>;
}

interface ReturnPlaces {
  /** A function of the SDK's form. */
  handler: ts.ArrowFunction | ts.FunctionExpression;
  rewriter: Rewriter;
  checker: ts.TypeChecker;
  /** The name of core's function `text` in this file. */
  textName: string;
}

/**
 * Rewrites every result of a handler as `text(…)` or `structured(…)`, and results with `isError` as a thrown
 * `ToolError`. Changes nothing if one of the results has another form.
 *
 * @returns the names of `@toolwright/core` that are used, or undefined if nothing was changed
 */
export function rewriteReturns(form: ReturnForm, places: ReturnPlaces): Set<string> | undefined {
  const { handler, checker, rewriter, textName } = places;
  const found = resultsOf(handler);
  if (!found || found.length === 0) return undefined;
  const used = new Set<string>();
  const edits: (() => void)[] = [];
  for (const { place, fields } of found) {
    const text = textOf(fields.get('content'), checker);
    const isError = fields.get('isError');
    const names = [...fields.keys()]
      .filter((name) => name !== 'content')
      .sort()
      .join();
    if (isError && names === 'isError' && bare(isError).kind === ts.SyntaxKind.TrueKeyword) {
      if (!text || !ts.isReturnStatement(place) || isCaught(place, handler)) return undefined;
      used.add('ToolError');
      edits.push(() => rewriter.replace(place, 'throw new ToolError(', text, ');'));
      continue;
    }
    const expression = ts.isReturnStatement(place) ? place.expression! : place;
    if (form === 'text' && names === '' && text) {
      used.add('text');
      edits.push(() => rewriter.replace(expression, `${textName}(`, text, ')'));
    } else if (form === 'structured' && names === 'structuredContent' && fields.has('content')) {
      used.add('structured');
      const value = fields.get('structuredContent')!;
      edits.push(() =>
        rewriter.replace(expression, 'structured(', value, ', ', text ?? fields.get('content')!, ')'),
      );
    } else return undefined;
  }
  // A method that only throws says nothing about what it returns.
  if (!used.has('text') && !used.has('structured')) return undefined;
  for (const edit of edits) edit();
  return used;
}

/** Every result of a function, if all are written out as objects. */
function resultsOf({ body }: ts.ArrowFunction | ts.FunctionExpression): Returned[] | undefined {
  const places = ts.isBlock(body) ? ownNodes(body, ts.isReturnStatement) : [body];
  const found = places.map((place) => {
    const value = ts.isReturnStatement(place) ? place.expression && bare(place.expression) : bare(place);
    const fields = value && ts.isObjectLiteralExpression(value) ? propertiesOf(value) : undefined;
    return fields && { place, fields };
  });
  return found.every((each) => each !== undefined) ? found : undefined;
}

/** The text of `[{ type: 'text', text }]`. */
function textOf(content: ts.Expression | undefined, checker: ts.TypeChecker): ts.Expression | undefined {
  const list = content && bare(content);
  if (!list || !ts.isArrayLiteralExpression(list) || list.elements.length !== 1) return undefined;
  const block = bare(list.elements[0]!);
  const fields = ts.isObjectLiteralExpression(block) ? propertiesOf(block) : undefined;
  const type = fields?.get('type');
  const isText = fields?.size === 2 && type && constantOf(type, checker)?.value === 'text';
  return isText ? fields.get('text') : undefined;
}

/** Whether an error thrown at a place is caught inside the function. */
function isCaught(node: ts.Node, handler: ts.Node): boolean {
  for (let each = node; each !== handler && each.parent; each = each.parent)
    if (ts.isTryStatement(each.parent) && each.parent.tryBlock === each && each.parent.catchClause)
      return true;
  return false;
}

/**
 * `throw new Error(text)` becomes `throw new ToolError(text)`: the SDK shows the text of every error to the
 * model, and Toolwright only that of a `ToolError`.
 *
 * @returns whether there was one
 */
export function rewriteThrows(
  handler: ts.ArrowFunction | ts.FunctionExpression,
  rewriter: Rewriter,
): boolean {
  const thrown = ownNodes(handler, ts.isThrowStatement).filter((each) => !isCaught(each, handler));
  let any = false;
  for (const { expression } of thrown) {
    if (!ts.isNewExpression(expression) || expression.expression.getText() !== 'Error') continue;
    if (expression.arguments?.length !== 1) continue;
    rewriter.replace(expression.expression, 'ToolError');
    any = true;
  }
  return any;
}

/**
 * The errors that functions of the project throw when a handler calls them. The SDK shows their texts to the
 * model; Toolwright shows only that of a `ToolError`.
 *
 * @param own whether a file belongs to the project
 */
export function errorsBelow(
  handlers: readonly ts.Node[],
  checker: ts.TypeChecker,
  own: (file: ts.SourceFile) => boolean,
): ts.ThrowStatement[] {
  const found = new Set<ts.ThrowStatement>();
  const seen = new Set<ts.Node>();
  const enter = (body: ts.Node, isBelow: boolean): void => {
    const visit = (node: ts.Node): void => {
      if (isBelow && ts.isThrowStatement(node) && makesError(node) && !isCaught(node, body)) found.add(node);
      // A function that is passed on or called by its name. An error that is caught here does not leave.
      const callee = ts.isCallExpression(node) && !isCaught(node, body) ? calledName(node) : undefined;
      const called = callee && functionOf(declarationOf(callee, checker));
      if (called && !seen.has(called) && own(called.getSourceFile())) {
        seen.add(called);
        enter(called, true);
      }
      ts.forEachChild(node, visit);
    };
    ts.forEachChild(body, visit);
  };
  for (const handler of handlers) {
    const called = ts.isIdentifier(handler) ? functionOf(declarationOf(handler, checker)) : undefined;
    enter(called ?? handler, called !== undefined);
  }
  return [...found].sort((a, b) => a.pos - b.pos);
}

function calledName({ expression }: ts.CallExpression): ts.Node {
  return ts.isPropertyAccessExpression(expression) ? expression.name : expression;
}

function makesError({ expression }: ts.ThrowStatement): boolean {
  return ts.isNewExpression(expression) && expression.expression.getText() === 'Error';
}

/** The function that a declaration names, if it has a body. */
function functionOf(declaration: ts.Declaration | undefined): ts.Node | undefined {
  if (!declaration) return undefined;
  const { initializer } = declaration as ts.VariableDeclaration;
  const value = ts.isVariableDeclaration(declaration) && initializer ? initializer : declaration;
  return ts.isFunctionLike(value) && 'body' in value && value.body ? value : undefined;
}
