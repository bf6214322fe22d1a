import { ts } from 'typescript-json-schema';

/** A place where a file creates an Express app. */
export interface ExpressApp {
  /** The app's name in the file: `app`, `this.app`. */
  name: string;
  statement: ts.Statement;
}

/** Every `const app = express()` and `app = express()` in a block or at the top level of the file. */
export function findExpressApps(file: ts.SourceFile): ExpressApp[] {
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

/** The expression without type assertions and parentheses. */
function bare(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
    ? bare(node.expression)
    : node;
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
