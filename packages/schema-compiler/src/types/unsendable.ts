import { ts } from 'typescript-json-schema';
import { asyncItem, classifyType } from './classify-type.js';
import { liveObject } from './live-object.js';

/** Whether no value of a type can come from a client: functions, symbols, live objects, and lists of such. */
export function isUnsendable(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (liveObject(type) !== undefined) return true;
  const special = classifyType(type, checker);
  if (special?.kind === 'function') return !asyncItem(type, checker);
  if (special?.kind === 'symbol' || special?.kind === 'unsupported') return true;
  if (!checker.isArrayType(type)) return false;
  const [item] = checker.getTypeArguments(type as ts.TypeReference);
  return item !== undefined && !item.isUnion() && isUnsendable(item, checker);
}

/** The alternatives of a union that a client can choose from; all of them where it could choose none. */
export function sendableParts(type: ts.UnionType, checker: ts.TypeChecker): readonly ts.Type[] {
  const sendable = type.types.filter((part) => !isUnsendable(part, checker));
  return sendable.some((part) => !(part.flags & NOTHING)) ? sendable : type.types;
}

/** Whether a property is another package's, may be left out, and has no value that a client could send. */
export function isLeftOut(property: ts.Symbol, checker: ts.TypeChecker): boolean {
  if (!(property.flags & ts.SymbolFlags.Optional) || !isForeign(property)) return false;
  const value = checker.getNonNullableType(checker.getTypeOfSymbol(property));
  return (value.isUnion() ? value.types : [value]).every((part) => isUnsendable(part, checker));
}

/** Nobody here can change what a declaration file says. */
export function isForeign(symbol: ts.Symbol): boolean {
  const declaration = symbol.valueDeclaration ?? symbol.declarations?.[0];
  return declaration?.getSourceFile().isDeclarationFile === true;
}

const NOTHING = ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Null;
