import { ts } from '../generator/tjs-adapter.js';
import { isLibraryType } from '../types/classify-type.js';
import type { DecoratorScanner, ValidatorUse } from './scan-decorator.js';

/**
 * Finds classes whose base class is computed, such as a mixin, or belongs to a package. The type of such a
 * base may be an interface, which has no decorators, while the running class has them.
 */
export class HiddenBases {
  private readonly known = new Map<ts.ClassLikeDeclaration, boolean>();

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly scanner: DecoratorScanner,
    private readonly validatorUse: ValidatorUse,
  ) {}

  /** Whether a base of the class, at any height, may have decorators that the compiler cannot read. */
  of(declaration: ts.ClassLikeDeclaration): boolean {
    let hidden = this.known.get(declaration);
    if (hidden === undefined) {
      // A class that extends itself is an error of the source.
      this.known.set(declaration, false);
      this.known.set(declaration, (hidden = this.find(declaration)));
    }
    return hidden;
  }

  private find({ heritageClauses }: ts.ClassLikeDeclaration): boolean {
    const extended = heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
    const expression = extended?.types[0]?.expression;
    if (!expression) return false;
    const base = this.declarationOf(expression);
    if (!base || !ts.isClassLike(base)) return this.isMadeWithRules(expression);
    if (!base.getSourceFile().isDeclarationFile) return this.of(base);
    return this.isOfValidators(base) && !isLibraryType(this.checker.getTypeAtLocation(base));
  }

  /** A function of the project that has decorators inside, or of a package with validators: `PartialType`. */
  private isMadeWithRules(expression: ts.Expression): boolean {
    const maker = this.declarationOf(ts.isCallExpression(expression) ? expression.expression : expression);
    return (maker && this.isOfValidators(maker)) || this.scanner.mentionsRules(expression);
  }

  private isOfValidators(declaration: ts.Declaration): boolean {
    const { isDeclarationFile, fileName } = declaration.getSourceFile();
    return isDeclarationFile && this.validatorUse.of(fileName);
  }

  /** What a name means, also through imports. */
  private declarationOf(expression: ts.Expression): ts.Declaration | undefined {
    const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
    const symbol = ts.isIdentifier(name) ? this.checker.getSymbolAtLocation(name) : undefined;
    const target =
      symbol && symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
    return target?.valueDeclaration;
  }
}

/** TypeScript's flag of a property that a mapped type created, such as one of `Partial<T>`. */
const MAPPED = 1 << 18;

/** Whether a mapped type created a property. */
export function isMapped(property: ts.Symbol): boolean {
  const { links } = property as ts.Symbol & { links?: { checkFlags?: number } };
  return !!((links?.checkFlags ?? 0) & MAPPED);
}

/** The declarations of a property in the base classes of the class that declares it, nearest first. */
export function membersAbove(property: ts.Symbol, checker: ts.TypeChecker): ts.Declaration[] {
  const found: ts.Declaration[] = [];
  let at: ts.Node | undefined = property.valueDeclaration?.parent;
  const seen = new Set<ts.Node>();
  while (at && ts.isClassLike(at) && !seen.has(at)) {
    seen.add(at);
    const clause = at.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
    const base = clause?.types[0] && checker.getTypeAtLocation(clause.types[0]);
    const member = base?.getProperty(property.getName())?.valueDeclaration;
    if (!member || !ts.isPropertyDeclaration(member)) return found;
    if (!found.includes(member)) found.push(member);
    at = member.parent;
  }
  return found;
}
