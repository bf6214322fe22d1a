import { ts } from 'typescript-json-schema';
import { UnsupportedType } from '../diagnostics/unsupported-type.js';
import { asyncItem, classifyType } from './classify-type.js';
import { liveObject } from './live-object.js';
import { acceptsUndefined } from './members.js';
import { valueClass } from './value-class.js';

/**
 * Whether no client can send a value of a type: functions, symbols, live objects, instances of classes that
 * only their own code creates, and lists of them.
 */
export function isUnsendable(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (liveObject(type) !== undefined || valueClass(type)) return true;
  const special = classifyType(type, checker);
  if (special?.kind === 'function') return !asyncItem(type, checker);
  if (special?.kind === 'symbol' || special?.kind === 'unsupported') return true;
  if (!checker.isArrayType(type)) return false;
  const [item] = checker.getTypeArguments(type as ts.TypeReference);
  if (!item) return false;
  return item.isUnion()
    ? item.types.every((part) => isUnsendable(part, checker))
    : isUnsendable(item, checker);
}

/** @throws {UnsupportedType} for an object of a running process, and for an instance of a value class */
export function refuseUnsendable(type: ts.Type, checker: ts.TypeChecker): void {
  const live = liveObject(type);
  const value = live === undefined ? valueClass(type) : undefined;
  if (live === undefined && !value) return;
  const name = (type.aliasSymbol ?? type.getSymbol())?.getName() ?? checker.typeToString(type);
  throw value
    ? new UnsupportedType('TW_SCHEMA_VALUE_CLASS', `${name} is a class of ${value.package}. ${value.advice}`)
    : new UnsupportedType('TW_SCHEMA_LIVE_OBJECT', `${name} is ${live}; no client can send one.`);
}

/** The alternatives of a union that a client can send. If it can send none, all alternatives. */
export function sendableParts(type: ts.UnionType, checker: ts.TypeChecker): readonly ts.Type[] {
  const sendable = type.types.filter((part) => !isUnsendable(part, checker));
  return sendable.some((part) => !(part.flags & NOTHING)) ? sendable : type.types;
}

/** Whether a property may be absent, and has no value that a client could send. */
export function isLeftOut(property: ts.Symbol, checker: ts.TypeChecker): boolean {
  const type = checker.getTypeOfSymbol(property);
  if (!(property.flags & ts.SymbolFlags.Optional) && !acceptsUndefined(type)) return false;
  const value = checker.getNonNullableType(type);
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
