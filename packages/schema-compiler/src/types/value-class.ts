import { ts } from 'typescript-json-schema';
import { ValidatorUse } from '../emit/validator-use.js';
import { isClassAccessor, isHidden } from './members.js';

/** A class whose instances are values, such as a decimal number. Only its own code can create one. */
export interface ValueClass {
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
 * Says which class of a package a type is, if JSON cannot stand for its instances: its methods need private
 * fields or arguments of the constructor, which a plain object does not have.
 */
export function valueClass(type: ts.Type): ValueClass | undefined {
  let found = known.get(type);
  if (found === undefined) known.set(type, (found = find(type) ?? null));
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
