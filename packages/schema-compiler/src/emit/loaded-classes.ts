import { ts } from '../generator/tjs-adapter.js';
import type { Project } from '../program/open-project.js';
import { baseOf, meaningOf } from '../types/members.js';

/**
 * The classes that must be there when the module of a class is evaluated. An ES module in a circle of such classes ends with
 * a ReferenceError. The code of CommonJS asks whether the class is there.
 */
export function loadedClasses(declaration: ts.ClassLikeDeclaration, project: Project): ts.Type[] {
  const { options, checker } = project;
  if (!isEsModule(declaration.getSourceFile(), options)) return [];
  return [...metadataNames(declaration, project), ...namesEvaluated(declaration)].flatMap((name) => {
    const symbol = classSymbol(name, checker);
    return symbol ? [checker.getDeclaredTypeOfSymbol(symbol)] : [];
  });
}

/**
 * The names in the metadata of a class that mean a class further down in the same file, which is not there yet when the
 * metadata are written. TypeScript itself says so of all other names.
 */
export function namesOfLaterClasses(declaration: ts.ClassLikeDeclaration, project: Project): ts.EntityName[] {
  return metadataNames(declaration, project).filter((name) => {
    const later = classSymbol(name, project.checker)?.valueDeclaration;
    return later?.parent === declaration.parent && later.pos >= declaration.end;
  });
}

function isEsModule({ impliedNodeFormat }: ts.SourceFile, { module }: ts.CompilerOptions): boolean {
  if (impliedNodeFormat !== undefined) return impliedNodeFormat === ts.ModuleKind.ESNext;
  return module !== undefined && module >= ts.ModuleKind.ES2015 && module <= ts.ModuleKind.ESNext;
}

/** The names that `emitDecoratorMetadata` writes into the code. */
function metadataNames(declaration: ts.ClassLikeDeclaration, project: Project): ts.EntityName[] {
  if (!project.options.emitDecoratorMetadata) return [];
  return metadataTypes(declaration)
    .flatMap((type) => nameIn(type, project) ?? [])
    .filter((name) => isWritten(name, project.checker));
}

/** The types that `emitDecoratorMetadata` writes into the code: those of all that has a decorator. */
function metadataTypes(declaration: ts.ClassLikeDeclaration): ts.TypeNode[] {
  const isDecorated = (node: ts.Node): boolean =>
    ts.canHaveDecorators(node) && !!ts.getDecorators(node)?.length;
  return declaration.members.flatMap((member) => {
    if (ts.isPropertyDeclaration(member)) return isDecorated(member) ? (member.type ?? []) : [];
    if (!ts.isFunctionLike(member) || !ts.isClassElement(member)) return [];
    const { parameters, type } = member as ts.MethodDeclaration;
    const holder = ts.isConstructorDeclaration(member) ? declaration : member;
    if (!isDecorated(holder) && !parameters.some(isDecorated)) return [];
    return [...parameters.flatMap(typeOfParameter), ...(type ? [type] : [])];
  });
}

/** Of a rest parameter, TypeScript writes the type of its items. */
function typeOfParameter({ type, dotDotDotToken }: ts.ParameterDeclaration): ts.TypeNode | [] {
  if (dotDotDotToken && type && ts.isArrayTypeNode(type)) return type.elementType;
  return type ?? [];
}

/** The name that the metadata of a type have. Most types have none: they are `Object`. */
function nameIn(type: ts.TypeNode, project: Project): ts.EntityName | undefined {
  if (ts.isParenthesizedTypeNode(type)) return nameIn(type.type, project);
  if (ts.isTypeReferenceNode(type)) return type.typeName;
  const { strict, strictNullChecks = strict } = project.options;
  if (!ts.isUnionTypeNode(type) || strictNullChecks) return undefined;
  const [only, ...others] = type.types.filter((each) => !isNothing(each));
  return only && others.length === 0 ? nameIn(only, project) : undefined;
}

const isNothing = (type: ts.TypeNode) =>
  type.kind === ts.SyntaxKind.UndefinedKeyword ||
  (ts.isLiteralTypeNode(type) && type.literal.kind === ts.SyntaxKind.NullKeyword);

/** Whether the code has a name. `import type` and aliases leave nothing of it, so that the metadata say `Object`. */
function isWritten(name: ts.EntityName, checker: ts.TypeChecker): boolean {
  const first = ts.isQualifiedName(name) ? name.left : name;
  const declaration = checker.getSymbolAtLocation(first)?.declarations?.[0];
  return !(declaration && ts.isTypeOnlyImportDeclaration(declaration));
}

/**
 * The names that run with the declaration of a class: in decorators, static initialisers and blocks, and in what it extends.
 * What is in a function runs later, as in `@Type(() => Page)`.
 */
function namesEvaluated(declaration: ts.ClassLikeDeclaration): ts.Identifier[] {
  const found: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) found.push(node);
    else if (ts.isExpressionWithTypeArguments(node)) visit(node.expression);
    else if (ts.isClassLike(node)) found.push(...namesEvaluated(node));
    else if (!ts.isTypeNode(node) && !ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  const visitDecorators = (node: ts.Node) => {
    if (ts.canHaveDecorators(node))
      for (const { expression } of ts.getDecorators(node) ?? []) visit(expression);
  };
  visitDecorators(declaration);
  const base = baseOf(declaration);
  if (base) visit(base);
  for (const member of declaration.members) {
    visitDecorators(member);
    if (ts.isFunctionLike(member)) member.parameters.forEach(visitDecorators);
    if (member.name && ts.isComputedPropertyName(member.name)) visit(member.name.expression);
    if (ts.isClassStaticBlockDeclaration(member)) visit(member.body);
    if (
      ts.isPropertyDeclaration(member) &&
      member.initializer &&
      ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static
    )
      visit(member.initializer);
  }
  return found;
}

function classSymbol(name: ts.EntityName, checker: ts.TypeChecker): ts.Symbol | undefined {
  const target = meaningOf(name, checker);
  return target && target.flags & ts.SymbolFlags.Class ? target : undefined;
}
