import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ts } from '../generator/tjs-adapter.js';
import { meaningOf } from '../types/members.js';

const CORE = '@toolwright/core';

/** The official SDK: version 1, and the packages of version 2. */
const SDK = [
  '@modelcontextprotocol/sdk',
  '@modelcontextprotocol/server',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/core',
] as const;

/** Packages whose decorators and types the compiler knows. */
const KNOWN = [CORE, '@toolwright/schedules', 'class-validator', 'class-transformer', ...SDK] as const;

type KnownPackage = (typeof KNOWN)[number];

/** An export of a known package, whatever the importing file calls it. */
interface PackageExport {
  package: KnownPackage;
  name: string;
}

/**
 * Decides whether a name in a source file means an export of a known package. This is so in two cases.
 * First, the module that declares the name belongs to the package. Second, the file imports the name from the
 * package. The second case also works for `paths` that lead to sources without a package.json, and for
 * imports that cannot be resolved at all.
 */
export class PackageSymbols {
  private readonly packageNames = new Map<string, string | undefined>();
  private readonly resolved = new Map<ts.Symbol, PackageExport | undefined>();

  constructor(private readonly checker: ts.TypeChecker) {}

  /** The export that `node` (an identifier or `namespace.name`) refers to, also through aliases. */
  exportOf(node: ts.Node): PackageExport | undefined {
    const symbol = this.checker.getSymbolAtLocation(ts.isPropertyAccessExpression(node) ? node.name : node);
    return (symbol && this.lookUp(symbol)) ?? this.fromUnresolvedNamespace(node);
  }

  /** The name of core's export that declares a type. */
  coreType(type: ts.Type): string | undefined {
    const symbol = type.aliasSymbol ?? type.getSymbol();
    return symbol && coreName(this.lookUp(symbol));
  }

  /** The name of core's export that a type annotation refers to, even if the import cannot be resolved. */
  coreAnnotation(node: ts.TypeNode | undefined): string | undefined {
    if (!node || !ts.isTypeReferenceNode(node)) return undefined;
    const name = node.typeName;
    return coreName(this.exportOf(ts.isQualifiedName(name) ? name.right : name));
  }

  /** The name that core or the official SDK exports for this type or annotation. */
  protocolType(type: ts.Type, node?: ts.TypeNode): string | undefined {
    const symbol = type.aliasSymbol ?? type.getSymbol();
    const found = (symbol && this.lookUp(symbol)) ?? (node && this.annotated(node));
    const isKnown = found && (found.package === CORE || SDK.some((name) => name === found.package));
    return isKnown ? found.name : undefined;
  }

  /** Whether a decorator of core is in an expression, or in the functions and constants that it names. No code is run. */
  applies(node: ts.Node, isMeant: (name: string) => boolean, seen = new Set<ts.Node>()): string | undefined {
    if (seen.has(node) || ts.isTypeNode(node)) return undefined;
    seen.add(node);
    if (ts.isIdentifier(node)) {
      const found = this.exportOf(node);
      if (found) return found.package === CORE && isMeant(found.name) ? found.name : undefined;
      const declaration = meaningOf(node, this.checker)?.declarations?.[0];
      const isCode =
        declaration &&
        (ts.isFunctionDeclaration(declaration) || ts.isVariableDeclaration(declaration)) &&
        !declaration.getSourceFile().isDeclarationFile;
      return isCode ? this.applies(declaration, isMeant, seen) : undefined;
    }
    return ts.forEachChild(node, (child) => this.applies(child, isMeant, seen));
  }

  private annotated(node: ts.TypeNode): PackageExport | undefined {
    if (!ts.isTypeReferenceNode(node)) return undefined;
    const { typeName, typeArguments } = node;
    const [argument] = typeArguments ?? [];
    if (argument && typeName.getText() === 'Promise') return this.annotated(argument);
    return this.exportOf(ts.isQualifiedName(typeName) ? typeName.right : typeName);
  }

  private lookUp(symbol: ts.Symbol): PackageExport | undefined {
    if (this.resolved.has(symbol)) return this.resolved.get(symbol);
    // Two constants may name each other.
    this.resolved.set(symbol, undefined);
    const found = this.resolve(symbol);
    this.resolved.set(symbol, found);
    return found;
  }

  private resolve(symbol: ts.Symbol): PackageExport | undefined {
    let hop: ts.Symbol | undefined = symbol;
    const seen = new Set<ts.Symbol>();
    while (hop && hop.flags & ts.SymbolFlags.Alias && !seen.has(hop)) {
      seen.add(hop);
      const imported = importedByName(hop);
      if (imported) return imported;
      hop = this.checker.getImmediateAliasedSymbol(hop);
    }
    const declaration = hop?.declarations?.[0];
    if (!hop || !declaration || hop.flags & ts.SymbolFlags.TypeParameter) return undefined;
    // `const Tool = McpTool`
    const value = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
    const isConstant = ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const;
    if (value && isConstant && (ts.isIdentifier(value) || ts.isPropertyAccessExpression(value)))
      return this.exportOf(value);
    const owner = this.declaringPackage(declaration);
    return owner && { package: owner, name: hop.getName() };
  }

  private declaringPackage(node: ts.Declaration): KnownPackage | undefined {
    for (let at: ts.Node | undefined = node; at; at = at.parent) {
      if (ts.isModuleDeclaration(at) && ts.isStringLiteral(at.name)) return knownPackage(at.name.text);
    }
    const { fileName } = node.getSourceFile();
    const installed = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(fileName)?.[1];
    return knownPackage(installed?.replace('\\', '/') ?? this.packageOf(dirname(fileName)));
  }

  private packageOf(folder: string): string | undefined {
    if (this.packageNames.has(folder)) return this.packageNames.get(folder);
    const name =
      readPackageName(folder) ?? (dirname(folder) === folder ? undefined : this.packageOf(dirname(folder)));
    this.packageNames.set(folder, name);
    return name;
  }

  private fromUnresolvedNamespace(node: ts.Node): PackageExport | undefined {
    if (!ts.isPropertyAccessExpression(node)) return undefined;
    const symbol = this.checker.getSymbolAtLocation(node.expression);
    const declaration = symbol?.declarations?.[0];
    if (!declaration || !ts.isNamespaceImport(declaration)) return undefined;
    const owner = specifiedPackage(declaration.parent.parent.moduleSpecifier);
    return owner && { package: owner, name: node.name.text };
  }
}

function coreName(found: PackageExport | undefined): string | undefined {
  return found?.package === CORE ? found.name : undefined;
}

function importedByName(symbol: ts.Symbol): PackageExport | undefined {
  const declaration = symbol.declarations?.[0];
  if (!declaration || !(ts.isImportSpecifier(declaration) || ts.isExportSpecifier(declaration)))
    return undefined;
  const statement = ts.isImportSpecifier(declaration)
    ? declaration.parent.parent.parent
    : declaration.parent.parent;
  const owner = specifiedPackage(statement.moduleSpecifier);
  return owner && { package: owner, name: (declaration.propertyName ?? declaration.name).text };
}

/** The package in a module specifier, also for `package/deep/path`. */
function specifiedPackage(node: ts.Expression | undefined): KnownPackage | undefined {
  if (!node || !ts.isStringLiteral(node)) return undefined;
  return KNOWN.find((name) => node.text === name || node.text.startsWith(`${name}/`));
}

function knownPackage(name: string | undefined): KnownPackage | undefined {
  return KNOWN.find((known) => known === name);
}

function readPackageName(folder: string): string | undefined {
  try {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string };
    return name;
  } catch {
    return undefined;
  }
}

/** A decorator at a declaration. */
export interface FoundDecorator {
  /**
   * The name that the package exports, whatever the import calls it. If the export is unknown, the name in
   * the source.
   */
  name: string;
  /** Undefined for decorators of packages that the compiler does not know. */
  package: KnownPackage | undefined;
  node: ts.Decorator;
  arguments: readonly ts.Expression[];
}

/**
 * Every decorator on a class, method, property or parameter, in source order. A decorator of the author that applies
 * `@Sensitive()` counts as this decorator, too.
 */
export function findDecorators(node: ts.Node, symbols: PackageSymbols): FoundDecorator[] {
  if (!ts.canHaveDecorators(node)) return [];
  return (ts.getDecorators(node) ?? []).flatMap((decorator) => {
    const call = ts.isCallExpression(decorator.expression) ? decorator.expression : undefined;
    const callee = call ? call.expression : decorator.expression;
    const found = symbols.exportOf(callee);
    const written: FoundDecorator = {
      name: found?.name ?? callee.getText(),
      package: found?.package,
      node: decorator,
      arguments: call?.arguments ?? [],
    };
    const isMark =
      !found && symbols.applies(decorator.expression, (name) => name === 'Sensitive') !== undefined;
    return isMark
      ? [written, { name: 'Sensitive', package: CORE, node: decorator, arguments: [] }]
      : [written];
  });
}

/** Core's decorators among those at a declaration. */
export function findCoreDecorators(node: ts.Node, symbols: PackageSymbols): FoundDecorator[] {
  return findDecorators(node, symbols).filter((decorator) => decorator.package === '@toolwright/core');
}
