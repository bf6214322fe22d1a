import { ts } from 'typescript-json-schema';

const sdkModule = /^@modelcontextprotocol\/(sdk|server)(\/|$)/;

/** The modules whose imports the migration may remove. */
export function isSdkOrZod(module: string): boolean {
  return sdkModule.test(module) || /^zod(\/|$)/.test(module);
}

/** The name under which the official SDK exports what a name means in this file, or undefined. */
export function sdkNameOf(node: ts.Node, checker: ts.TypeChecker): string | undefined {
  const declaration = checker.getSymbolAtLocation(node)?.declarations?.[0];
  const imported = declaration && ts.findAncestor(declaration, ts.isImportDeclaration);
  if (!imported || !ts.isStringLiteral(imported.moduleSpecifier)) return undefined;
  if (!sdkModule.test(imported.moduleSpecifier.text)) return undefined;
  return ts.isImportSpecifier(declaration) ? (declaration.propertyName ?? declaration.name).text : undefined;
}

/** Whether an expression is an `McpServer` of the official SDK, as far as its declaration says so. */
export function isSdkServer(node: ts.Expression, checker: ts.TypeChecker): boolean {
  const declaration = checker.getSymbolAtLocation(node)?.declarations?.[0];
  if (!declaration) return false;
  const isDeclared =
    ts.isVariableDeclaration(declaration) ||
    ts.isParameter(declaration) ||
    ts.isPropertyDeclaration(declaration);
  if (!isDeclared) return isImportedServer(declaration, checker);
  const { type, initializer } = declaration;
  if (type) return ts.isTypeReferenceNode(type) && sdkNameOf(type.typeName, checker) === 'McpServer';
  return (
    !!initializer &&
    ts.isNewExpression(initializer) &&
    sdkNameOf(initializer.expression, checker) === 'McpServer'
  );
}

/** A server that another file of the project exports. */
function isImportedServer(declaration: ts.Declaration, checker: ts.TypeChecker): boolean {
  if (!ts.isImportSpecifier(declaration)) return false;
  const symbol = checker.getSymbolAtLocation(declaration.name);
  if (!symbol) return false;
  const meant = checker.getAliasedSymbol(symbol).declarations?.[0];
  return (
    meant !== undefined &&
    ts.isVariableDeclaration(meant) &&
    ts.isIdentifier(meant.name) &&
    isSdkServer(meant.name, checker)
  );
}
