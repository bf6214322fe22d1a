import { ts } from '../generator/tjs-adapter.js';

/**
 * Accessors are on the prototype. JSON.stringify and class-transformer ignore them there, unless they are
 * exposed.
 */
export function isClassAccessor(property: ts.Symbol): boolean {
  if (!(property.flags & ts.SymbolFlags.Accessor)) return false;
  return (property.declarations ?? []).some((declaration) => ts.isClassLike(declaration.parent));
}

/** Private, protected, `#private` and symbol-keyed members are not part of an object's JSON. */
export function isHidden(property: ts.Symbol): boolean {
  const name = property.escapedName.toString();
  if (name.startsWith('__@') || name.startsWith('__#')) return true;
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  return (property.declarations ?? []).some(
    (declaration) => ts.getCombinedModifierFlags(declaration) & hidden,
  );
}

/** The initialiser of a class property, a parameter property or a parameter. */
export function initialiserOf(property: ts.Symbol): ts.Expression | undefined {
  const declaration = property.valueDeclaration;
  if (!declaration) return undefined;
  if (ts.isPropertyDeclaration(declaration) || ts.isParameter(declaration)) {
    return constructorInitialiser(declaration, property.getName()) ?? declaration.initializer;
  }
  return ts.isBindingElement(declaration) ? declaration.initializer : undefined;
}

/**
 * `constructor() { this.limit = 10; }` counts as an initialiser if the value does not depend on an argument. If
 * the last assignment may not happen, the initial value is uncertain. The assignment is then returned as a whole, and
 * no constant is read from it.
 */
function constructorInitialiser(
  declaration: ts.PropertyDeclaration | ts.ParameterDeclaration,
  name: string,
): ts.Expression | undefined {
  if (!ts.isPropertyDeclaration(declaration) || !ts.isClassLike(declaration.parent)) return undefined;
  const constructor = declaration.parent.members.find(ts.isConstructorDeclaration);
  const assignments = constructor?.body ? assignmentsTo(name, constructor.body) : [];
  const last = assignments.at(-1);
  if (!last) return undefined;
  const always = assignments.filter((each) => each.parent.parent === constructor!.body);
  const isFree = !always.some(({ right }) => mentionsParameter(right, constructor!));
  if (isFree && last === always.at(-1) && last.operatorToken.kind === ts.SyntaxKind.EqualsToken)
    return last.right;
  return declaration.initializer || (isFree && always.length > 0) ? last : undefined;
}

function assignmentsTo(name: string, node: ts.Node): ts.BinaryExpression[] {
  const isAssigned =
    ts.isBinaryExpression(node) &&
    ts.isPropertyAccessExpression(node.left) &&
    node.left.expression.kind === ts.SyntaxKind.ThisKeyword &&
    node.left.name.text === name &&
    node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;
  const inside: ts.BinaryExpression[] = isAssigned ? [node] : [];
  ts.forEachChild(node, (child) => void inside.push(...assignmentsTo(name, child)));
  return inside;
}

function mentionsParameter(node: ts.Node, constructor: ts.Node): boolean {
  if (!ts.isConstructorDeclaration(constructor)) return false;
  const names = new Set(constructor.parameters.map((parameter) => parameter.name.getText()));
  const visit = (child: ts.Node): boolean =>
    (ts.isIdentifier(child) && names.has(child.text)) || !!ts.forEachChild(child, visit);
  return visit(node);
}

/** Whether a type has `undefined` or `void` among its parts. */
export function acceptsUndefined(type: ts.Type): boolean {
  const none = ts.TypeFlags.Undefined | ts.TypeFlags.Void;
  return !!(type.flags & none) || (type.isUnion() && type.types.some((part) => part.flags & none));
}

/** Whether a type has no values that JSON can contain: `void`, `undefined`, `never`. */
export function isNothing(type: ts.Type): boolean {
  const none = ts.TypeFlags.Void | ts.TypeFlags.Undefined | ts.TypeFlags.Never;
  return !!(type.flags & none) || (type.isUnion() && type.types.every((part) => part.flags & none));
}

/** Whether a type has `null` among its parts. */
export function acceptsNull(type: ts.Type): boolean {
  return !!(type.flags & ts.TypeFlags.Null) || (type.isUnion() && type.types.some(acceptsNull));
}

/** The direction in which the values of a schema are sent. */
export type SchemaRole = 'input' | 'output';

/** What nobody knows the type of. */
export function isUntyped({ flags }: ts.Type): boolean {
  return !!(flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown));
}

/** What a name means, also in the short form of a property, and behind imports. */
export function meaningOf(name: ts.Node, checker: ts.TypeChecker): ts.Symbol | undefined {
  const symbol = ts.isShorthandPropertyAssignment(name.parent)
    ? checker.getShorthandAssignmentValueSymbol(name.parent)
    : checker.getSymbolAtLocation(name);
  return symbol && behindImports(symbol, checker);
}

export function behindImports(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** What a class extends. */
export function baseOf({ heritageClauses }: ts.ClassLikeDeclaration) {
  return heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
}

/** The types that JSON has no value for, and null. */
export const NO_VALUE = ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Null;

/** The symbol of a declaration. The checker gives only that of a name. */
export function symbolOf(node: ts.Node): ts.Symbol | undefined {
  return (node as ts.Node & { symbol?: ts.Symbol }).symbol;
}
