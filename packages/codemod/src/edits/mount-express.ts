import { ts } from '@toolwright/schema-compiler/project';
import { bare } from '../migrate/constants.js';
import { type NamedImport, importInsertion, indentAt, insertAll } from './insertion.js';

/** What to mount in an app, and where. */
export interface ExpressMount {
  /** The path of the handler in the app, such as `/mcp`. */
  path: string;
  /** The request handler. */
  handler: NamedImport;
}

/** A file with the mount, and what still touches the bodies of its requests before it. */
export interface MountedText {
  readonly text: string;
  /** Body parsers and checks of forms, as written. What runs after them may be a check of access, so they stay in front. */
  readonly afterBodies: readonly string[];
}

/**
 * Mounts a handler in an Express app: after everything that runs for each request, such as sessions and
 * access checks, and before the first route. Body parsers and checks of forms (csurf) come after it, unless something
 * else runs between them and the first route.
 *
 * @param text of a source file
 * @returns `unclear` if the file creates more than one app; undefined if it creates none
 */
export function mountInExpress(
  text: string,
  { path, handler }: ExpressMount,
): MountedText | 'unclear' | undefined {
  const file = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const apps = findExpressApps(file);
  const [app] = apps;
  if (!app) return undefined;
  if (apps.length > 1) return 'unclear';
  const { name, statement } = app;
  const siblings = (statement.parent as ts.BlockLike).statements;
  const following = siblings.slice(siblings.indexOf(statement) + 1);
  const next = following.findIndex((each) => comesAfterTheMount(each, name, file));
  const whole = next < 0 ? following : following.slice(0, next);
  const kept = whole.slice(0, beginOfBodies(whole, name, file));
  const before = kept.at(-1) ?? statement;
  const quote = /"express"/.test(text) ? '"' : "'";
  const end = statement.getText(file).endsWith(';') ? ';' : '';
  const indent = indentAt(text, statement.getStart(file));
  const line = `${name}.use(${quote}${path}${quote}, ${handler.name})${end}`;
  const mount = { at: endOfLine(text, before.getEnd()), text: `\n${indent}${line}` };
  return {
    text: insertAll(text, [importInsertion(file, [handler]), mount]),
    afterBodies: kept.filter((each) => touchesBodies(each, name, file)).map((each) => each.getText(file)),
  };
}

/** Where the last statements begin that only read bodies, or prepare something. */
function beginOfBodies(statements: readonly ts.Statement[], app: string, file: ts.SourceFile): number {
  let begin = statements.length;
  for (let index = begin - 1; index >= 0; index--) {
    if (touchesBodies(statements[index]!, app, file)) begin = index;
    else if (runsForRequests(statements[index]!, app, file)) break;
  }
  return begin;
}

const bodies =
  /(^|\.)(json|urlencoded|raw|text)$|body-?parser|csrf|csurf|lusca|upload|multer|busboy|formidable|sanitize|hpp/i;

/** `app.use(express.json())`, `app.use(csrfProtection)`. */
function touchesBodies(statement: ts.Statement, app: string, file: ts.SourceFile): boolean {
  const args = usedBy(statement, app, file) ?? [];
  return args.length > 0 && args.every((each) => bodies.test(each.getText(file).split('(')[0]!));
}

/** False for what only declares or sets something. */
function runsForRequests(statement: ts.Statement, app: string, file: ts.SourceFile): boolean {
  if (!ts.isExpressionStatement(statement))
    return !ts.isVariableStatement(statement) && !ts.isDeclarationStatement(statement);
  return !new RegExp(`^${app.replace('.', '\\.')}\\.(set|enable|disable|engine)\\(`).test(
    statement.getText(file),
  );
}

/** The arguments of `app.use(…)`. */
function usedBy(
  statement: ts.Statement,
  app: string,
  file: ts.SourceFile,
): readonly ts.Expression[] | undefined {
  if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return undefined;
  const { expression, arguments: args } = statement.expression;
  return expression.getText(file) === `${app}.use` ? args : undefined;
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

/** A place where a file creates an Express app. */
interface ExpressApp {
  /** The app's name in the file: `app`, `this.app`. */
  name: string;
  statement: ts.Statement;
}

/** Every `const app = express()` and `app = express()` in a block or at the top level of the file. */
function findExpressApps(file: ts.SourceFile): ExpressApp[] {
  const names = expressNames(file);
  const found: ExpressApp[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStatement(node) && node.parent && (ts.isBlock(node.parent) || ts.isSourceFile(node.parent)))
      for (const [name, value] of assignedIn(node))
        if (makesApp(value, names)) found.push({ name: name.getText(file), statement: node });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function assignedIn(statement: ts.Statement): [name: ts.Node, value: ts.Expression][] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      initializer ? [[name, initializer]] : [],
    );
  if (!ts.isExpressionStatement(statement) || !ts.isBinaryExpression(statement.expression)) return [];
  const { left, operatorToken, right } = statement.expression;
  return operatorToken.kind === ts.SyntaxKind.EqualsToken ? [[left, right]] : [];
}

function makesApp(value: ts.Expression, names: ReadonlySet<string>): boolean {
  const call = bare(value);
  if (!ts.isCallExpression(call)) return false;
  const callee = bare(call.expression);
  return names.has(callee.getText()) || isExpress(callee);
}

/** `require('express')`, `(await import('express')).default`. */
function isExpress(node: ts.Expression): boolean {
  if (ts.isPropertyAccessExpression(node))
    return node.name.text === 'default' && isExpress(bare(node.expression));
  if (ts.isAwaitExpression(node)) return isExpress(bare(node.expression));
  if (!ts.isCallExpression(node)) return false;
  const [name] = node.arguments;
  const loads =
    node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText() === 'require';
  return loads && !!name && ts.isStringLiteralLike(name) && name.text === 'express';
}

/** The names by which the file refers to Express, whichever way it imports it. */
function expressNames(file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  // Without interop, or if a bundler makes a namespace of the module, the function is its `default`.
  const add = (name: string) => names.add(name).add(`${name}.default`);
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement) && isNamed(statement.moduleSpecifier)) {
      const { name, namedBindings } = statement.importClause ?? {};
      if (name) add(name.text);
      if (namedBindings && ts.isNamespaceImport(namedBindings)) add(namedBindings.name.text);
      else
        for (const each of namedBindings?.elements ?? [])
          if (isDefault(each.propertyName)) add(each.name.text);
    } else if (ts.isImportEqualsDeclaration(statement)) {
      const { moduleReference: from } = statement;
      if (ts.isExternalModuleReference(from) && isNamed(from.expression)) add(statement.name.text);
    } else if (ts.isVariableStatement(statement))
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (!initializer || !isExpress(bare(initializer))) continue;
        if (ts.isIdentifier(name)) add(name.text);
        else if (ts.isObjectBindingPattern(name))
          for (const each of name.elements) if (isDefault(each.propertyName)) add(each.name.getText());
      }
  }
  return names;
}

function isNamed(node: ts.Expression): boolean {
  return ts.isStringLiteralLike(node) && node.text === 'express';
}

function isDefault(name: ts.Node | undefined): boolean {
  return name?.getText() === 'default';
}
