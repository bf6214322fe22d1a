import { ts } from 'typescript-json-schema';
import { asyncItem, classifyType } from './classify-type.js';
import { liveObject } from './live-object.js';

/** Whether no client can send a value of a type: functions, symbols, live objects, and lists of them. */
export function isUnsendable(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (liveObject(type) !== undefined) return true;
  const special = classifyType(type, checker);
  if (special?.kind === 'function') return !asyncItem(type, checker);
  if (special?.kind === 'symbol' || special?.kind === 'unsupported') return true;
  if (!checker.isArrayType(type)) return false;
  const [item] = checker.getTypeArguments(type as ts.TypeReference);
  return item !== undefined && !item.isUnion() && isUnsendable(item, checker);
}

/** The alternatives of a union that a client can send. If it can send none, all alternatives. */
export function sendableParts(type: ts.UnionType, checker: ts.TypeChecker): readonly ts.Type[] {
  const sendable = type.types.filter((part) => !isUnsendable(part, checker));
  return sendable.some((part) => !(part.flags & NOTHING)) ? sendable : type.types;
}

/** Whether a property of another package is optional, and has no value that a client could send. */
export function isLeftOut(property: ts.Symbol, checker: ts.TypeChecker): boolean {
  if (!(property.flags & ts.SymbolFlags.Optional) || !isForeign(property)) return false;
  const value = checker.getNonNullableType(checker.getTypeOfSymbol(property));
  return (value.isUnion() ? value.types : [value]).every((part) => isUnsendable(part, checker));
}

/** Whether a declaration file declares a symbol, so that the project cannot change it. */
export function isForeign(symbol: ts.Symbol): boolean {
  const declaration = symbol.valueDeclaration ?? symbol.declarations?.[0];
  return declaration?.getSourceFile().isDeclarationFile === true;
}

/** Whether only a declaration file decides the type of a property, and not the arguments of a generic type. */
export function isGiven(property: ts.Symbol, checker: ts.TypeChecker): boolean {
  if (!isForeign(property)) return false;
  const declaration = (property.valueDeclaration ?? property.declarations?.[0]) as { type?: ts.TypeNode };
  const written = declaration.type;
  if (!written) return true;
  // A mapped type of the project may have changed the property.
  const isOwn =
    !isUntyped(checker.getTypeOfSymbol(property)) || isUntyped(checker.getTypeFromTypeNode(written));
  return isOwn && !namesTypeParameter(written, checker);
}

function isUntyped({ flags }: ts.Type): boolean {
  return !!(flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown));
}

function namesTypeParameter(node: ts.Node, checker: ts.TypeChecker): boolean {
  if (ts.isIdentifier(node))
    return !!((checker.getSymbolAtLocation(node)?.flags ?? 0) & ts.SymbolFlags.TypeParameter);
  return ts.forEachChild(node, (child) => namesTypeParameter(child, checker)) ?? false;
}

const NOTHING = ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Null;
