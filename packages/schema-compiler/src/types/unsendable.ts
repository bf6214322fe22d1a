import { getOrMake } from '@toolwright/json';
import { ts } from '../generator/tjs-adapter.js';
import { UnsupportedType } from '../diagnostics/diagnostic.js';
import { ValidatorUse } from '../validators/scan-decorator.js';
import { asyncItem, classifyType } from './classify-type.js';
import { liveObject } from './live-object.js';
import { acceptsUndefined, isClassAccessor, isHidden, isUntyped, NO_VALUE } from './members.js';

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
    : new UnsupportedType(
        'TW_SCHEMA_LIVE_OBJECT',
        `${name} is ${live}; no client can send one.${name === 'AbortSignal' ? SIGNAL : ''}`,
      );
}

/** The official SDK passes it within an object, `extra`. */
const SIGNAL = ' The server gives one to a parameter of its own: `signal: AbortSignal`.';

/** The alternatives of a union that a client can send. If it can send none, all alternatives. */
export function sendableParts(types: readonly ts.Type[], checker: ts.TypeChecker): readonly ts.Type[] {
  const sendable = types.filter((part) => !isUnsendable(part, checker));
  return sendable.some((part) => !(part.flags & NO_VALUE)) ? sendable : types;
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

/** Whether a type is written with a type parameter. */
export function namesTypeParameter(node: ts.Node, checker: ts.TypeChecker): boolean {
  if (ts.isIdentifier(node))
    return !!((checker.getSymbolAtLocation(node)?.flags ?? 0) & ts.SymbolFlags.TypeParameter);
  return ts.forEachChild(node, (child) => namesTypeParameter(child, checker)) ?? false;
}

/** A class whose instances are values, such as a decimal number. Only its own code can create one. */
interface ValueClass {
  readonly package: string;
  /** What to write instead. */
  readonly advice: string;
}

const TIME = [
  'Instant',
  'PlainDate',
  'PlainDateTime',
  'PlainTime',
  'PlainYearMonth',
  'PlainMonthDay',
  'ZonedDateTime',
  'Duration',
];
const temporal = (name: string) => `Take a string and write Temporal.${name}.from(text) in the method.`;
const created = (name: string) => `Take a string and write new ${name}(text) in the method.`;

/** Well-known classes by package. */
const KNOWN: Readonly<Record<string, { names: readonly string[]; advice: (name: string) => string }>> = {
  dayjs: { names: ['Dayjs'], advice: () => 'Take a Date and write dayjs(date) in the method.' },
  moment: {
    names: ['Moment', 'Duration'],
    advice: () => 'Take a Date and write moment(date) in the method.',
  },
  luxon: {
    names: ['DateTime', 'Duration', 'Interval'],
    advice: (name) => `Take a string and write ${name}.fromISO(text) in the method.`,
  },
  'temporal-spec': { names: TIME, advice: temporal },
  'temporal-polyfill': { names: TIME, advice: temporal },
  '@js-temporal/polyfill': { names: TIME, advice: temporal },
  'decimal.js': { names: ['Decimal'], advice: created },
  'decimal.js-light': { names: ['Decimal'], advice: created },
  'big.js': { names: ['Big'], advice: created },
  'bignumber.js': { names: ['BigNumber'], advice: created },
  bson: { names: ['ObjectId', 'Decimal128', 'Long', 'Binary', 'UUID', 'Timestamp'], advice: created },
};

const validators = new ValidatorUse();
const known = new WeakMap<ts.Type, ValueClass | null>();

/**
 * Says which class of a package a type is, if JSON cannot represent its instances: its methods need private
 * fields or arguments of the constructor, which a plain object does not have.
 */
function valueClass(type: ts.Type): ValueClass | undefined {
  const found = getOrMake(known, type, () => find(type) ?? null);
  return found ?? undefined;
}

function find(type: ts.Type): ValueClass | undefined {
  const symbol = type.flags & ts.TypeFlags.Object ? type.getSymbol() : undefined;
  const declaration = symbol?.valueDeclaration ?? symbol?.declarations?.[0];
  const file = declaration?.getSourceFile();
  const owner = file?.isDeclarationFile ? packageIn(file.fileName) : undefined;
  if (!declaration || !file || owner === undefined || owner === 'node' || file.hasNoDefaultLib)
    return undefined;
  const listed = Object.hasOwn(KNOWN, owner) ? KNOWN[owner] : undefined;
  const name = symbol!.getName();
  if (listed?.names.includes(name)) return { package: owner, advice: listed.advice(name) };
  if (!ts.isClassLike(declaration) || !needsItsOwnCode(type, declaration) || validators.of(file.fileName))
    return undefined;
  return { package: owner, advice: 'Take its JSON form, such as a string, and create it in the method.' };
}

function needsItsOwnCode(type: ts.Type, declaration: ts.ClassLikeDeclaration): boolean {
  const members = type.getProperties();
  const methods = members.filter((each) => each.flags & ts.SymbolFlags.Method && !isHidden(each));
  if (methods.length === 0) return false;
  const isPrivate = (each: ts.Symbol) => isHidden(each) && !each.escapedName.toString().startsWith('__@');
  const data = members.filter(
    (each) => !(each.flags & ts.SymbolFlags.Method) && !isHidden(each) && !isClassAccessor(each),
  );
  return members.some(isPrivate) || data.length === 0 || takesArguments(declaration);
}

function takesArguments(declaration: ts.ClassLikeDeclaration): boolean {
  const constructors = declaration.members.filter(ts.isConstructorDeclaration);
  const isRequired = ({ questionToken, dotDotDotToken }: ts.ParameterDeclaration) =>
    !questionToken && !dotDotDotToken;
  return constructors.length > 0 && constructors.every(({ parameters }) => parameters.some(isRequired));
}

function packageIn(fileName: string): string | undefined {
  const found = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(fileName)?.[1];
  return found?.replace('\\', '/').replace(/^@types\//, '');
}
