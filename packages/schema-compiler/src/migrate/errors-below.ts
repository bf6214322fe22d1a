import { ts } from 'typescript-json-schema';
import { declarationOf } from './constants.js';
import { isCaught } from './rewrite-returns.js';

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
