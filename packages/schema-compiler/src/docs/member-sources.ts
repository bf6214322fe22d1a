import { symbolOf } from '../types/members.js';
import { ts } from '../generator/tjs-adapter.js';
import { copiedBy, linksOf } from './accessed-members.js';

/** The properties that together are one property, in an intersection or a spread. Empty for all others. */
export function partsOfMember(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol[] {
  const { containingType, leftSpread, rightSpread } = linksOf(symbol);
  if (leftSpread && rightSpread) return [rightSpread, leftSpread];
  if (!containingType?.isIntersection()) return [];
  const parts = containingType.types.flatMap((type) => checker.getPropertyOfType(type, symbol.name) ?? []);
  return parts.length > 1 ? parts : [];
}

/**
 * What a member is made of or takes the place of: the property that a mapped type copies, the property of a base
 * class or an interface, the parameter of an overridden or overloaded method. Only the next of each.
 */
export function membersBehind(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol[] {
  const copied = [copiedBy(symbol, checker), linksOf(symbol).target].flatMap((each) => each ?? []);
  if (copied.length > 0) return copied;
  const found = (symbol.declarations ?? []).flatMap((declaration) => {
    if (ts.isParameter(declaration) && !ts.isParameterPropertyDeclaration(declaration, declaration.parent))
      return parametersBehind(declaration, checker);
    return inHeritage(declaration, symbol.name, checker);
  });
  return [...new Set(found)].filter((each) => each !== symbol);
}

/** The members of this name in the base classes and interfaces of the class or interface around a declaration. */
function inHeritage(member: ts.Declaration, name: string, checker: ts.TypeChecker): ts.Symbol[] {
  const holder: ts.Node | undefined = ts.isParameter(member) ? member.parent.parent : member.parent;
  if (!holder || !(ts.isClassLike(holder) || ts.isInterfaceDeclaration(holder))) return [];
  const isStatic = !!(ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static);
  return (holder.heritageClauses ?? [])
    .flatMap(({ types }) => [...types])
    .flatMap((base) => {
      const type = checker.getTypeAtLocation(isStatic ? base.expression : base);
      return checker.getPropertyOfType(type, name) ?? [];
    });
}

function parametersBehind(parameter: ts.ParameterDeclaration, checker: ts.TypeChecker): ts.Symbol[] {
  const method = parameter.parent;
  const symbol = symbolOf(method);
  if (!symbol || !(ts.isMethodDeclaration(method) || ts.isMethodSignature(method))) return [];
  const index = method.parameters.indexOf(parameter);
  const behind = membersBehind(symbol, checker);
  const overloads = (symbol.declarations ?? []).filter((each) => each !== method);
  return [...overloads, ...behind.flatMap(({ declarations = [] }) => declarations)].flatMap((declaration) => {
    const signature = signatureOf(declaration);
    return (signature?.parameters[index] && symbolOf(signature.parameters[index])) ?? [];
  });
}

/** A method, or a property whose type is a function. */
function signatureOf(declaration: ts.Declaration): ts.SignatureDeclaration | undefined {
  if (ts.isFunctionLike(declaration)) return declaration;
  const { type, initializer } = declaration as { type?: ts.TypeNode; initializer?: ts.Expression };
  if (type && ts.isFunctionTypeNode(type)) return type;
  return initializer && ts.isArrowFunction(initializer) ? initializer : undefined;
}
