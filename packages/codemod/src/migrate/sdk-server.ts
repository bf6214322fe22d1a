import { ts } from '@toolwright/schema-compiler/project';

const sdkModule = /^@modelcontextprotocol\/(sdk|server)(\/|$)/;

/** The modules whose imports the migration may remove. */
export function isSdkOrZod(module: string): boolean {
  return sdkModule.test(module) || /^zod(\/|$)/.test(module);
}

/** The name under which the official SDK exports what a name means in this file, or undefined. */
export function sdkNameOf(node: ts.Node, checker: ts.TypeChecker): string | undefined {
  return exportedName(node, sdkModule, checker);
}

/** The name under which a package exports what a name means in this file; `*` for a default or the whole module. */
export function exportedName(node: ts.Node, from: RegExp, checker: ts.TypeChecker): string | undefined {
  const seen = new Set<ts.Declaration>();
  let declaration = checker.getSymbolAtLocation(node)?.declarations?.[0];
  // A module of the project may export again what it has from the package.
  while (declaration && !seen.has(declaration)) {
    seen.add(declaration);
    if (ts.isImportClause(declaration) || ts.isNamespaceImport(declaration)) {
      const { moduleSpecifier: whole } = ts.findAncestor(declaration, ts.isImportDeclaration)!;
      return ts.isStringLiteral(whole) && from.test(whole.text) ? '*' : undefined;
    }
    if (!ts.isImportSpecifier(declaration) && !ts.isExportSpecifier(declaration)) return undefined;
    const name = (declaration.propertyName ?? declaration.name).text;
    const { moduleSpecifier } = ts.isImportSpecifier(declaration)
      ? declaration.parent.parent.parent
      : declaration.parent.parent;
    if (!moduleSpecifier) {
      declaration = checker.getExportSpecifierLocalTargetSymbol(declaration as ts.ExportSpecifier)
        ?.declarations?.[0];
      continue;
    }
    if (ts.isStringLiteral(moduleSpecifier) && from.test(moduleSpecifier.text)) return name;
    const module = checker.getSymbolAtLocation(moduleSpecifier);
    const exported = module && checker.getExportsOfModule(module).find((each) => each.name === name);
    declaration = exported?.declarations?.[0];
  }
  return undefined;
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
