import { getOrMake } from '@toolwright/json';
import { isUntyped } from './members.js';
import { ts } from '../generator/tjs-adapter.js';
import { isInteger, keptAlias } from '../program/kept-aliases.js';
import { type TextType, textTypesOf } from './template-pattern.js';

/** A type that JSON Schema or typescript-json-schema cannot handle as it is, and what it is instead. */
export type SpecialType =
  | { kind: 'date' | 'url' | 'integer' | 'number' | 'string' | 'boolean' | 'object' }
  /** With the value of a literal type. */
  | { kind: 'bigint'; value?: bigint }
  | { kind: 'any' | 'unknown' | 'unresolved' | 'never' | 'symbol' | 'function' }
  | { kind: 'bytes'; buffer: boolean }
  | { kind: 'map'; key: ts.Type; value: ts.Type }
  | { kind: 'set' | 'list'; item: ts.Type }
  | { kind: 'iterable'; item: ts.Type | undefined; async: boolean }
  /** A value has to fit each of the types. */
  | { kind: 'template'; types: readonly TextType[] }
  /**
   * The type has the values of another type: a branded primitive, a boxed primitive, the constraint of a type
   * parameter.
   */
  | { kind: 'same'; as: ts.Type; brand?: boolean }
  | { kind: 'parameter'; constraint: ts.Type | undefined; name: string }
  | { kind: 'unsupported'; name: string; advice?: string };

const BYTES = new Set(['Buffer', 'Uint8Array', 'Uint8ClampedArray', 'ArrayBuffer']);
const UNSUPPORTED = new Set([
  'RegExp', 'Error', 'Promise', 'PromiseLike', 'WeakMap', 'WeakSet', 'WeakRef', 'Proxy', 'SharedArrayBuffer',
  'DataView', 'Int8Array', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'Float32Array', 'Float64Array',
  'BigInt64Array', 'BigUint64Array', 'Blob', 'File', 'FormData', 'Response', 'Request', 'Headers', 'AbortSignal',
  'AbortController', 'URLSearchParams',
]); // prettier-ignore
const ITERABLES = new Set([
  'Iterable',
  'Iterator',
  'IterableIterator',
  'IteratorObject',
  'Generator',
  'ArrayIterator',
]);
const DEFERRED =
  ts.TypeFlags.TypeParameter |
  ts.TypeFlags.IndexedAccess |
  ts.TypeFlags.Conditional |
  ts.TypeFlags.Substitution |
  ts.TypeFlags.Index;
const PRIMITIVE =
  ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike | ts.TypeFlags.BigIntLike;

/** Says what is special about a type; undefined if typescript-json-schema can handle it. */
export function classifyType(type: ts.Type, checker: ts.TypeChecker): SpecialType | undefined {
  return getOrMake(classified, type, () => classify(type, checker) ?? null) ?? undefined;
}

/** The results per type. Each type belongs to one checker, and is asked about several times. */
const classified = new WeakMap<ts.Type, SpecialType | null>();

function classify(type: ts.Type, checker: ts.TypeChecker): SpecialType | undefined {
  const { flags } = type;
  if (flags & ts.TypeFlags.Any) return { kind: isErrorType(type) ? 'unresolved' : 'any' };
  if (flags & ts.TypeFlags.Unknown) return { kind: 'unknown' };
  if (flags & ts.TypeFlags.Never) return { kind: 'never' };
  if (flags & ts.TypeFlags.ESSymbolLike) return { kind: 'symbol' };
  if (flags & ts.TypeFlags.BigInt) return { kind: 'bigint' };
  if (flags & ts.TypeFlags.BigIntLiteral) return { kind: 'bigint', value: bigintOf(type) };
  if (keptAlias(type)) return { kind: aliasKind(type) };
  if (flags & (ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping))
    return { kind: 'template', types: textTypesOf(type) };
  if (flags & DEFERRED) return deferred(type, checker);
  if (flags & ts.TypeFlags.Intersection) return classifyIntersection(type as ts.IntersectionType, checker);
  return flags & ts.TypeFlags.Object ? classifyObject(type as ts.ObjectType, checker) : undefined;
}

/** Whether the standard library or Node's own types declare a type, and not user code with the same name. */
export function isLibraryType(type: ts.Type): boolean {
  const file = type.getSymbol()?.declarations?.[0]?.getSourceFile();
  return !!file && (file.hasNoDefaultLib || /[\\/]node_modules[\\/]@types[\\/]node[\\/]/.test(file.fileName));
}

/** The type of the items of an asynchronous iterable, whatever its name is; undefined for anything else. */
export function asyncItem(type: ts.Type, checker: ts.TypeChecker): { item: ts.Type | undefined } | undefined {
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return undefined;
  const method = checker
    .getPropertiesOfType(type)
    .find((property) => property.escapedName.toString().startsWith('__@asyncIterator'));
  if (!method) return undefined;
  const own = checker.getTypeArguments(type as ts.TypeReference)[0];
  if (own && isLibraryType(type)) return { item: own };
  const iterator = checker.getTypeOfSymbol(method).getCallSignatures()[0]?.getReturnType();
  return { item: iterator && checker.getTypeArguments(iterator as ts.TypeReference)[0] };
}

function bigintOf(type: ts.Type): bigint {
  const { negative, base10Value } = (type as ts.BigIntLiteralType).value;
  return BigInt(negative ? `-${base10Value}` : base10Value);
}

/** The primitive type that a kept alias names. */
function aliasKind(type: ts.Type): 'integer' | 'number' | 'string' | 'boolean' {
  if (isInteger(type)) return 'integer';
  if (type.flags & ts.TypeFlags.Number) return 'number';
  return type.flags & ts.TypeFlags.String ? 'string' : 'boolean';
}

function isErrorType(type: ts.Type): boolean {
  return (type as ts.Type & { intrinsicName?: string }).intrinsicName === 'error';
}

function deferred(type: ts.Type, checker: ts.TypeChecker): SpecialType {
  const constraint = checker.getBaseConstraintOfType(type);
  const known =
    constraint && !(constraint.flags & (ts.TypeFlags.Unknown | DEFERRED)) ? constraint : undefined;
  return { kind: 'parameter', constraint: known, name: checker.typeToString(type) };
}

function classifyIntersection(type: ts.IntersectionType, checker: ts.TypeChecker): SpecialType | undefined {
  const carriers = type.types.filter((part) => part.flags & PRIMITIVE);
  const texts = textTypesOf(type);
  if (texts.length > 1) return { kind: 'template', types: texts };
  const base = carriers.find((part) => part.flags & ts.TypeFlags.Literal) ?? carriers[0];
  if (base) return { kind: 'same', as: base, brand: true };
  const special = type.types.find((part) => classifyType(part, checker));
  if (special) return { kind: 'same', as: special, brand: true };
  return listOf(type, checker);
}

/**
 * The list in an intersection that is a list, such as `string[] & any[]` or a branded list. The methods of
 * lists are not properties in JSON. If several lists have item types, each item has all of these types.
 */
function listOf(type: ts.IntersectionType, checker: ts.TypeChecker): SpecialType | undefined {
  const lists = type.types.filter((part) => checker.isArrayType(part) || checker.isTupleType(part));
  const isTelling = (list: ts.Type) =>
    checker.getTypeArguments(list as ts.TypeReference).some((argument) => !isUntyped(argument));
  // With `type Pair = [string, number]`, TypeScript leaves both parts of `Pair & [string, number]`.
  const telling = lists
    .filter(isTelling)
    .filter((list, index, all) => all.findIndex((other) => isSameList(other, list, checker)) === index);
  const list = telling[0] ?? lists[0];
  if (telling.length < 2) return list && { kind: 'same', as: list, brand: true };
  const item = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  if (item && telling.every((part) => checker.isArrayType(part))) return { kind: 'list', item };
  return { kind: 'unsupported', name: 'tuple', advice: 'Write one tuple, such as [A & B].' };
}

function isSameList(one: ts.Type, other: ts.Type, checker: ts.TypeChecker): boolean {
  const items = checker.getTypeArguments(other as ts.TypeReference);
  const formOf = (type: ts.Type) =>
    String(checker.isTupleType(type) && (type as ts.TupleTypeReference).target.elementFlags);
  return (
    formOf(one) === formOf(other) &&
    checker.getTypeArguments(one as ts.TypeReference).every((item, index) => item === items[index])
  );
}

function classifyObject(type: ts.ObjectType, checker: ts.TypeChecker): SpecialType | undefined {
  const name = type.getSymbol()?.getName() ?? '';
  if (isLibraryType(type)) {
    const known = classifyLibrary(name, type, checker);
    if (known) return known;
  }
  if (type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0)
    return { kind: 'function' };
  if (checker.isArrayLikeType(type)) return undefined;
  if (isError(type, checker)) return { kind: 'unsupported', name };
  const stream = asyncItem(type, checker);
  return stream && { kind: 'iterable', item: stream.item, async: true };
}

/**
 * A class of errors. Its message and stack are not enumerable, so a result would always lack them. An error
 * class with `toJSON` decides itself what is sent.
 */
function isError(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (!type.isClass() || type.getProperty('toJSON')) return false;
  return checker
    .getBaseTypes(type)
    .some((base) => (isLibraryType(base) && base.symbol.name === 'Error') || isError(base, checker));
}

function classifyLibrary(
  name: string,
  type: ts.ObjectType,
  checker: ts.TypeChecker,
): SpecialType | undefined {
  const [first, second] = checker.getTypeArguments(type as ts.TypeReference);
  if (name === 'Date') return { kind: 'date' };
  if (name === 'URL') return { kind: 'url' };
  if (BYTES.has(name)) return { kind: 'bytes', buffer: name === 'Buffer' };
  if ((name === 'Map' || name === 'ReadonlyMap') && first && second)
    return { kind: 'map', key: first, value: second };
  if ((name === 'Set' || name === 'ReadonlySet') && first) return { kind: 'set', item: first };
  if (ITERABLES.has(name)) return { kind: 'iterable', item: first, async: false };
  if (name === 'Object') return { kind: 'object' };
  if (name === 'Function' || name === 'CallableFunction') return { kind: 'function' };
  if (name === 'Symbol') return { kind: 'symbol' };
  if (name === 'String') return { kind: 'same', as: checker.getStringType() };
  if (name === 'Number') return { kind: 'same', as: checker.getNumberType() };
  if (name === 'Boolean') return { kind: 'same', as: checker.getBooleanType() };
  if (name === 'BigInt') return { kind: 'bigint' };
  return UNSUPPORTED.has(name) ? { kind: 'unsupported', name } : undefined;
}
