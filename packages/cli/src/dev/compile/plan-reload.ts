import type ts from 'typescript';

/**
 * Finds everything that a change affects. A module that only lists a changed service class in `services: […]`
 * is not affected, because the server itself replaces the class. To be safe, every module that mentions
 * anything else of a changed module is loaded again.
 *
 * @param changed absolute paths of sources
 * @returns these sources, and all sources that use what they export
 */
export function planReload(
  compiler: typeof ts,
  program: ts.Program,
  changed: ReadonlySet<string>,
): ReadonlySet<string> {
  const reached = new Set(changed);
  if (changed.size === 0) return reached;
  const checker = program.getTypeChecker();
  const own = program.getSourceFiles().filter((file) => !file.isDeclarationFile);
  const uses = new Uses(compiler, checker);
  for (let grown = true; grown;) {
    grown = false;
    for (const file of own) {
      if (reached.has(file.fileName) || !uses.reaches(file, reached)) continue;
      reached.add(file.fileName);
      grown = true;
    }
  }
  return reached;
}

interface Import {
  readonly target: string;
  /** The importer can reach all exports of the target without naming them. */
  readonly whole: boolean;
  readonly clause?: ts.ImportClause | undefined;
}

class Uses {
  constructor(
    private readonly compiler: typeof ts,
    private readonly checker: ts.TypeChecker,
  ) {}

  /**
   * Whether the code of a file uses exports of the files in `reached` for anything else than a list of
   * services.
   */
  reaches(file: ts.SourceFile, reached: ReadonlySet<string>): boolean {
    const imported = this.importsAtRunTime(file).filter(({ target }) => reached.has(target));
    if (imported.length === 0) return false;
    if (imported.some(({ whole }) => whole)) return true;
    const names = new Set(imported.flatMap(({ clause }) => (clause ? this.namesOf(clause) : [])));
    return this.mentions(file, names, reached);
  }

  private importsAtRunTime(file: ts.SourceFile): Import[] {
    const { compiler, checker } = this;
    const { imports = [] } = file as ts.SourceFile & { imports?: readonly ts.StringLiteralLike[] };
    return imports.flatMap((specifier): Import[] => {
      const target = checker.getSymbolAtLocation(specifier)?.declarations?.find(compiler.isSourceFile);
      const { parent } = specifier;
      if (!target) return [];
      if (compiler.isLiteralTypeNode(parent)) return [];
      if (compiler.isExportDeclaration(parent) && parent.isTypeOnly) return [];
      if (!compiler.isImportDeclaration(parent)) return [{ target: target.fileName, whole: true }];
      const clause = parent.importClause;
      return clause?.isTypeOnly ? [] : [{ target: target.fileName, whole: clause === undefined, clause }];
    });
  }

  /** The names that an import gives to what it imports. */
  private namesOf({ name, namedBindings }: ts.ImportClause): string[] {
    const { compiler } = this;
    const bound =
      namedBindings === undefined
        ? []
        : compiler.isNamespaceImport(namedBindings)
          ? [namedBindings]
          : namedBindings.elements;
    return [name, ...bound.map((each) => each.name)].flatMap((each) => (each ? [each.text] : []));
  }

  /** Only these names are looked up: what any other identifier means would need the types of the whole file. */
  private mentions(file: ts.SourceFile, names: ReadonlySet<string>, reached: ReadonlySet<string>): boolean {
    const { compiler } = this;
    const visit = (node: ts.Node): boolean => {
      if (compiler.isImportDeclaration(node)) return false;
      if (compiler.isIdentifier(node) && names.has(node.text) && this.comesFrom(node, reached))
        return !this.isListedService(node);
      return compiler.forEachChild(node, (child) => visit(child) || undefined) ?? false;
    };
    return visit(file);
  }

  private comesFrom(node: ts.Identifier, reached: ReadonlySet<string>): boolean {
    const symbol = this.resolve(node);
    // Types do not exist at run time.
    if (!symbol || !(symbol.flags & (this.compiler.SymbolFlags.Value | this.compiler.SymbolFlags.Module)))
      return false;
    return (symbol.declarations ?? []).some((each) => reached.has(each.getSourceFile().fileName));
  }

  private resolve(node: ts.Identifier): ts.Symbol | undefined {
    const symbol = this.checker.getSymbolAtLocation(node);
    const isAlias = symbol && symbol.flags & this.compiler.SymbolFlags.Alias;
    return isAlias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  private isListedService(node: ts.Identifier): boolean {
    const { compiler } = this;
    const list = node.parent;
    if (!compiler.isArrayLiteralExpression(list) || !compiler.isPropertyAssignment(list.parent)) return false;
    return list.parent.name.getText() === 'services' && this.isDecorated(node);
  }

  private isDecorated(node: ts.Identifier): boolean {
    const { compiler } = this;
    const holds = (each: ts.Node) =>
      compiler.canHaveDecorators(each) && !!compiler.getDecorators(each)?.length;
    const declaration = this.resolve(node)?.declarations?.find(compiler.isClassLike);
    return declaration !== undefined && [declaration, ...declaration.members].some(holds);
  }
}
