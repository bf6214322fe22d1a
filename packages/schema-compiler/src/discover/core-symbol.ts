import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ts } from 'typescript-json-schema';

const CORE = '@toolwright/core';

/**
 * Decides whether a name in a source file means one of core's exports. A name is ours when the module that declares
 * it belongs to the package `@toolwright/core`, or when it was imported from there by name: the latter also holds for
 * `paths` that lead to sources without a package.json, and where the import cannot be resolved at all.
 */
export class CoreSymbols {
  private readonly packageNames = new Map<string, string | undefined>();
  private readonly resolved = new Map<ts.Symbol, string | undefined>();

  constructor(private readonly checker: ts.TypeChecker) {}

  /** Name of core's export that `node` (an identifier or `namespace.name`) refers to, aliases seen through. */
  exportName(node: ts.Node): string | undefined {
    const symbol = this.checker.getSymbolAtLocation(ts.isPropertyAccessExpression(node) ? node.name : node);
    if (symbol) {
      const name = this.nameOf(symbol);
      if (name) return name;
    }
    return this.fromUnresolvedNamespace(node);
  }

  /** Name of core's export that a type is, by the symbol that declares it. */
  typeName(type: ts.Type): string | undefined {
    const symbol = type.aliasSymbol ?? type.getSymbol();
    return symbol && this.nameOf(symbol);
  }

  /** Name of core's export that a type annotation refers to, also when the import cannot be resolved. */
  annotationName(node: ts.TypeNode | undefined): string | undefined {
    if (!node || !ts.isTypeReferenceNode(node)) return undefined;
    const name = node.typeName;
    return this.exportName(ts.isQualifiedName(name) ? name.right : name);
  }

  private nameOf(symbol: ts.Symbol): string | undefined {
    if (this.resolved.has(symbol)) return this.resolved.get(symbol);
    const name = this.resolve(symbol);
    this.resolved.set(symbol, name);
    return name;
  }

  private resolve(symbol: ts.Symbol): string | undefined {
    let hop: ts.Symbol | undefined = symbol;
    const seen = new Set<ts.Symbol>();
    while (hop && hop.flags & ts.SymbolFlags.Alias && !seen.has(hop)) {
      seen.add(hop);
      const imported = importedFromCore(hop);
      if (imported) return imported;
      hop = this.checker.getImmediateAliasedSymbol(hop);
    }
    const declaration = hop?.declarations?.[0];
    if (!hop || !declaration || hop.flags & ts.SymbolFlags.TypeParameter) return undefined;
    return this.isCoreDeclaration(declaration) ? hop.getName() : undefined;
  }

  private isCoreDeclaration(node: ts.Declaration): boolean {
    const file = node.getSourceFile();
    for (let at: ts.Node | undefined = node; at; at = at.parent) {
      if (ts.isModuleDeclaration(at) && ts.isStringLiteral(at.name)) return at.name.text === CORE;
    }
    return this.packageOf(dirname(file.fileName)) === CORE;
  }

  private packageOf(folder: string): string | undefined {
    if (this.packageNames.has(folder)) return this.packageNames.get(folder);
    const name =
      readPackageName(folder) ?? (dirname(folder) === folder ? undefined : this.packageOf(dirname(folder)));
    this.packageNames.set(folder, name);
    return name;
  }

  private fromUnresolvedNamespace(node: ts.Node): string | undefined {
    if (!ts.isPropertyAccessExpression(node)) return undefined;
    const symbol = this.checker.getSymbolAtLocation(node.expression);
    const declaration = symbol?.declarations?.[0];
    if (!declaration || !ts.isNamespaceImport(declaration)) return undefined;
    return isCoreSpecifier(declaration.parent.parent.moduleSpecifier) ? node.name.text : undefined;
  }
}

function importedFromCore(symbol: ts.Symbol): string | undefined {
  const declaration = symbol.declarations?.[0];
  if (!declaration || !(ts.isImportSpecifier(declaration) || ts.isExportSpecifier(declaration)))
    return undefined;
  const statement = ts.isImportSpecifier(declaration)
    ? declaration.parent.parent.parent
    : declaration.parent.parent;
  if (!isCoreSpecifier(statement.moduleSpecifier)) return undefined;
  return (declaration.propertyName ?? declaration.name).text;
}

function isCoreSpecifier(node: ts.Expression | undefined): boolean {
  if (!node || !ts.isStringLiteral(node)) return false;
  return node.text === CORE || node.text.startsWith(`${CORE}/`);
}

function readPackageName(folder: string): string | undefined {
  try {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string };
    return name;
  } catch {
    return undefined;
  }
}
