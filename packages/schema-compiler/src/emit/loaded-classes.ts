import { ts } from '../generator/tjs-adapter.js';
import type { Project } from '../program/open-project.js';

/**
 * The classes that must be there when the module of a class is evaluated: the types of its decorated properties, which
 * `emitDecoratorMetadata` writes into the code. An ES module in a circle of such classes ends with a ReferenceError. The code
 * of CommonJS asks whether the class is there.
 */
export function loadedClasses(
  declaration: ts.ClassLikeDeclaration,
  { options, checker }: Project,
): ts.Type[] {
  if (!options.emitDecoratorMetadata || !isEsModule(declaration.getSourceFile(), options)) return [];
  return declaration.members.flatMap((member) => {
    if (!ts.isPropertyDeclaration(member) || !ts.getDecorators(member)?.length) return [];
    const { type } = member;
    return type && ts.isTypeReferenceNode(type) && isValue(type.typeName, checker)
      ? [checker.getTypeFromTypeNode(type)]
      : [];
  });
}

function isEsModule({ impliedNodeFormat }: ts.SourceFile, { module }: ts.CompilerOptions): boolean {
  if (impliedNodeFormat !== undefined) return impliedNodeFormat === ts.ModuleKind.ESNext;
  return module !== undefined && module >= ts.ModuleKind.ES2015 && module <= ts.ModuleKind.ESNext;
}

/** A name that the code has. `import type` and aliases leave nothing of it, so that the metadata says `Object`. */
function isValue(name: ts.EntityName, checker: ts.TypeChecker): boolean {
  const first = ts.isQualifiedName(name) ? name.left : name;
  const declaration = checker.getSymbolAtLocation(first)?.declarations?.[0];
  if (declaration && ts.isTypeOnlyImportDeclaration(declaration)) return false;
  const symbol = checker.getSymbolAtLocation(name);
  const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return !!target && !!(target.flags & ts.SymbolFlags.Class);
}
