import { ts } from 'typescript-json-schema';
import { findExpressApps } from './find-express-apps.js';
import { importInsertion, type NamedImport } from './import-insertion.js';
import { indentAt, insertAll } from './insertion.js';

/** What to mount in an app, and where. */
export interface Mount {
  /** The path of the handler in the app, such as `/mcp`. */
  path: string;
  /** The request handler. */
  handler: NamedImport;
}

/**
 * Mounts a handler in an Express app: after everything that runs for each request, such as sessions and
 * access checks, and before the first route.
 *
 * @param text of a source file
 * @returns `unclear` if the file creates more than one app; undefined if it creates none
 */
export function mountInExpress(
  text: string,
  { path, handler }: Mount,
): { text: string } | 'unclear' | undefined {
  const file = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const apps = findExpressApps(file);
  const [app] = apps;
  if (!app) return undefined;
  if (apps.length > 1) return 'unclear';
  const { name, statement } = app;
  const siblings = (statement.parent as ts.BlockLike).statements;
  const following = siblings.slice(siblings.indexOf(statement) + 1);
  const next = following.find((each) => comesAfterTheMount(each, name, file));
  const before = next ? siblings[siblings.indexOf(next) - 1]! : (following.at(-1) ?? statement);
  const quote = /"express"/.test(text) ? '"' : "'";
  const end = statement.getText(file).endsWith(';') ? ';' : '';
  const indent = indentAt(text, statement.getStart(file));
  const line = `${name}.use(${quote}${path}${quote}, ${handler.name})${end}`;
  const mount = { at: endOfLine(text, before.getEnd()), text: `\n${indent}${line}` };
  return { text: insertAll(text, [importInsertion(file, [handler]), mount]) };
}

/** A comment after a statement on the same line stays with the statement. */
function endOfLine(text: string, position: number): number {
  return position + /^[ \t]*(\/\/[^\r\n]*)?/.exec(text.slice(position))![0].length;
}

const routeMethods = /^(get|post|put|patch|delete|head|options|all|route|param)$/;
const routesOrErrors = /rout|endpoint|controller|handler|error|not_?found|404|static/i;

/**
 * Whether a statement answers requests, or gives the app to other code. Everything before it runs for each
 * request.
 */
function comesAfterTheMount(statement: ts.Statement, app: string, file: ts.SourceFile): boolean {
  if (!ts.isExpressionStatement(statement))
    return ts.isReturnStatement(statement) || ts.isExportAssignment(statement);
  const call = ts.isAwaitExpression(statement.expression)
    ? statement.expression.expression
    : statement.expression;
  if (!ts.isCallExpression(call)) return false;
  const { expression, arguments: args } = firstOfChain(call);
  if (ts.isPropertyAccessExpression(expression) && expression.expression.getText(file) === app)
    return isRoute(expression.name.text, args, file);
  // `addRoutes(app)` or `this.addRoutes()`, and not `addSessions(app)`.
  const takesApp = args.some((argument) => argument.getText(file) === app);
  const isOwn = app.startsWith('this.') && expression.getText(file).startsWith('this.');
  return (takesApp || isOwn) && routesOrErrors.test(expression.getText(file));
}

/** For `app.route('/a').get(answer)`, the call `app.route('/a')`. */
function firstOfChain(call: ts.CallExpression): ts.CallExpression {
  const { expression } = call;
  const isChained = ts.isPropertyAccessExpression(expression) && ts.isCallExpression(expression.expression);
  return isChained ? firstOfChain(expression.expression as ts.CallExpression) : call;
}

function isRoute(method: string, args: readonly ts.Expression[], file: ts.SourceFile): boolean {
  const [first] = args;
  if (method === 'listen') return true;
  // `app.get('setting')` reads a setting.
  if (routeMethods.test(method)) return method !== 'get' || args.length > 1;
  if (method !== 'use' || !first) return false;
  const isPath =
    ts.isStringLiteralLike(first) ||
    ts.isArrayLiteralExpression(first) ||
    first.kind === ts.SyntaxKind.RegularExpressionLiteral;
  const isErrorHandler =
    (ts.isArrowFunction(first) || ts.isFunctionExpression(first)) && first.parameters.length === 4;
  return isPath || isErrorHandler || routesOrErrors.test(first.getText(file).split('(')[0]!);
}
