import { copiedBy, templateOf } from '../docs/accessed-members.js';
import { membersBehind, partsOfMember } from '../docs/member-sources.js';
import { ts } from '../generator/tjs-adapter.js';
import { isLibraryType } from '../types/classify-type.js';
import { namesTypeParameter } from '../types/unsendable.js';
import type { DecoratorScanner } from './scan-decorator.js';
import { baseOf, meaningOf } from '../types/members.js';

/**
 * Finds classes whose base class is computed, such as a mixin, or belongs to a package. The type of such a
 * base may be an interface, which has no decorators, while the running class has them.
 */
export class HiddenBases {
  private readonly known = new Map<ts.ClassLikeDeclaration, boolean>();

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly scanner: DecoratorScanner,
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

  private find(declaration: ts.ClassLikeDeclaration): boolean {
    const expression = baseOf(declaration)?.expression;
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
    return isDeclarationFile && this.scanner.validatorUse.of(fileName);
  }

  /** What a name means, also through imports. */
  private declarationOf(expression: ts.Expression): ts.Declaration | undefined {
    const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
    return ts.isIdentifier(name) ? meaningOf(name, this.checker)?.valueDeclaration : undefined;
  }
}

/** TypeScript's flag of a property that a mapped type created, such as one of `Partial<T>`. */
const MAPPED = 1 << 18;

/** Whether a mapped type created a property. */
export function isMapped(property: ts.Symbol): boolean {
  const { links } = property as ts.Symbol & { links?: { checkFlags?: number } };
  return !!((links?.checkFlags ?? 0) & MAPPED);
}

/** Whether a mapped type takes only the name of a property, and not its values: `{ [K in keyof T]: boolean }`. */
export function isOnlyNamed(property: ts.Symbol, checker: ts.TypeChecker): boolean {
  const made = templateOf(property);
  if (!made) return false;
  const copied = copiedBy(property, checker);
  return !namesTypeParameter(made.node, checker) || (!!copied && isOnlyNamed(copied, checker));
}

/** Whether a mapped type requires a property that its declaration leaves optional, as `Required` does. */
export function isMadeRequired(property: ts.Symbol, checker: ts.TypeChecker): boolean {
  if (!isMapped(property) || property.flags & ts.SymbolFlags.Optional) return false;
  return declarationsOf(property, checker).some(
    (each) => ts.isPropertyDeclaration(each) && each.questionToken,
  );
}

/** The declarations of a property. One that a mapped type renamed has those of the property that it was. */
export function declarationsOf(property: ts.Symbol, checker: ts.TypeChecker): readonly ts.Declaration[] {
  if (property.declarations) return property.declarations;
  return behind(property, checker).flatMap((each) => declarationsOf(each, checker));
}

/**
 * The declarations of a property in the classes and interfaces above the ones that declare it, nearest first. The
 * declarations of the property itself are left out.
 */
export function declarationsAbove(property: ts.Symbol, checker: ts.TypeChecker): ts.Declaration[] {
  const found = new Set<ts.Declaration>(declarationsOf(property, checker));
  const own = found.size;
  const seen = new Set([property]);
  for (const symbol of seen) {
    for (const each of behind(symbol, checker)) seen.add(each);
    for (const declaration of symbol.declarations ?? []) found.add(declaration);
  }
  return [...found].slice(own);
}

function behind(property: ts.Symbol, checker: ts.TypeChecker): ts.Symbol[] {
  return [...partsOfMember(property, checker), ...membersBehind(property, checker)];
}
