import type { ObjectRevival } from '../values/revival.js';
import type { Problem } from '../validation/problem.js';
import { isPlainObject, pointerToken, pointerTokens, setOwn } from '../base/json-values.js';
import { loadClassTransformer, PLAIN_TO_CLASS, transformerRecords } from '../values/class-transformer.js';
import type { Constructor } from './class-types.js';
import { oncePer } from '../schema/once.js';

/** What a caller may read of an error of the author. `undefined`: nothing. */
export type WordsOf = (error: unknown) => string | undefined;

/**
 * Creates an instance of a DTO by the rules of class-transformer. It works on a copy, because
 * class-transformer removes discriminators from the value.
 *
 * @throws {UnrevivableError} if a `@Transform` throws, because it does not accept what the caller sent
 */
export function buildInstance(
  Dto: Constructor,
  value: object,
  { pointer, wordsOf }: { pointer: string; wordsOf: WordsOf | undefined },
): object {
  const copy = copyOf(value) as object;
  const instance = buildFrom(copy, { Dto, value, pointer, wordsOf });
  for (const { at, holder, name, part } of leftOut(value, copy, instance, '')) {
    if (name === 'constructor' && !isFreeMap(instance, pointerTokens(at)))
      throw new UnrevivableError([refusedKey(`${pointer}${at}`)]);
    setOwn(holder as object, name, part);
  }
  return instance;
}

function buildFrom(
  copy: object,
  {
    Dto,
    value,
    pointer,
    wordsOf,
  }: { Dto: Constructor; value: object; pointer: string; wordsOf: WordsOf | undefined },
): object {
  try {
    return plainToInstance(Dto, copy);
  } catch (error) {
    throw new UnrevivableError(
      placesOf(Dto, value).map((name) => ({
        pointer: name === undefined ? pointer : `${pointer}/${pointerToken(name)}`,
        expected: wordsOf?.(error) ?? 'a value that can be read',
        keyword: 'transform',
        ...received(name === undefined ? undefined : (value as Record<string, unknown>)[name]),
      })),
      { cause: error },
    );
  }
}

function plainToInstance(Dto: Constructor, value: object): object {
  return loadClassTransformer().plainToInstance(Dto as new () => object, value);
}

/** class-transformer does not say which property failed, so each property is tried alone. */
function placesOf(Dto: Constructor, value: object): (string | undefined)[] {
  const wrong = Object.entries(value).flatMap(([name, part]) => {
    try {
      plainToInstance(Dto, { [name]: copyOf(part) });
      return [];
    } catch {
      return [name];
    }
  });
  return wrong.length > 0 ? wrong : [undefined];
}

function received(value: unknown): { received?: { value: unknown } } {
  return value === null || (typeof value !== 'object' && value !== undefined) ? { received: { value } } : {};
}

/** A part of a value that class-transformer has left out of the instance. */
interface LeftOut {
  /** The pointer of the object that had it. */
  readonly at: string;
  /** What class-transformer made of this object. */
  readonly holder: unknown;
  readonly name: string;
  readonly part: unknown;
}

/**
 * Finds the key `constructor`, which class-transformer never copies, and the property by which a discriminator of `@Type`
 * has chosen a class. class-transformer deletes that one, although the class may declare it.
 */
function* leftOut(value: object, copy: unknown, built: unknown, at: string): Generator<LeftOut> {
  // A value that was revived before is not copied.
  if (copy === value || typeof copy !== 'object' || copy === null) return;
  for (const [name, part] of Object.entries(value) as [string, unknown][]) {
    if (!Object.hasOwn(copy, name)) {
      if (name === 'constructor' || isMissed(built, name)) yield { at, holder: built, name, part };
    } else if (typeof part === 'object' && part !== null)
      yield* leftOut(part, (copy as Fields)[name], memberOf(built, name), `${at}/${pointerToken(name)}`);
  }
}

type Fields = Record<string, unknown>;

/** What the instance has for a property of the value. `@Expose` may have given it another name. */
function memberOf(built: unknown, name: string): unknown {
  if (typeof built !== 'object' || built === null) return undefined;
  if (Object.hasOwn(built, name) || isPlainObject(built)) return (built as Fields)[name];
  const exposed = transformerRecords().findExposeMetadataByCustomName(built.constructor, name);
  return exposed && (built as Fields)[exposed.propertyName];
}

/** A class may leave the property out itself, by `@Exclude`. */
function isMissed(built: unknown, name: string): boolean {
  return (
    typeof built === 'object' &&
    built !== null &&
    (built as Fields)[name] === undefined &&
    !transformerRecords().getExcludedProperties(built.constructor, PLAIN_TO_CLASS).includes(name)
  );
}

/** Whether a place has a free map, and no `@Transform` has seen it without the key. */
function isFreeMap(instance: object, names: readonly string[]): boolean {
  let at: unknown = instance;
  for (const name of names) {
    if (typeof at !== 'object' || at === null) return false;
    const isOfClass = !Array.isArray(at) && !isPlainObject(at);
    if (
      isOfClass &&
      transformerRecords().findTransformMetadatas(at.constructor, name, PLAIN_TO_CLASS).length > 0
    )
      return false;
    at = memberOf(at, name);
  }
  return typeof at === 'object' && at !== null && isPlainObject(at);
}

function refusedKey(pointer: string): Problem {
  return {
    pointer: `${pointer}/constructor`,
    expected: 'another key: class-transformer leaves this one out',
    keyword: 'transform',
  };
}

/** The exposed properties of a class that no `@Transform` makes. */
const exposedBy = oncePer((Dto: object): readonly string[] => {
  const records = transformerRecords();
  return records
    .getExposedProperties(Dto, PLAIN_TO_CLASS)
    .filter((name) => records.findTransformMetadatas(Dto, name, PLAIN_TO_CLASS).length === 0);
});

/**
 * Gives an instance of class-transformer the values of its initialisers again. It writes undefined over those of exposed
 * properties that a caller leaves out (typestack/class-transformer#663).
 */
export function restoreInitial(instance: object): object {
  const Dto = instance.constructor;
  const missing = exposedBy(Dto).filter((name) => (instance as Fields)[name] === undefined);
  if (missing.length === 0) return instance;
  const fresh = new (Dto as new () => Fields)();
  for (const name of missing)
    if (Object.hasOwn(fresh, name) && fresh[name] !== undefined) setOwn(instance, name, fresh[name]);
  return instance;
}

/**
 * JSON is copied. Values that were already revived are not. class-transformer would call what a key `constructor` has, so
 * the copy is without it.
 */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== 'object' || value === null || !isPlainObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    if (name === 'constructor') continue;
    const part = copyOf((value as Record<string, unknown>)[name]);
    if (name === '__proto__') Object.defineProperty(copy, name, { value: part, enumerable: true });
    else copy[name] = part;
  }
  return copy;
}

/** The same revival, with the names that the properties have in the class. */
export function renamed({
  properties = {},
  names = {},
  late = [],
  plain = [],
  defaults,
  ...revival
}: ObjectRevival): ObjectRevival {
  const rename = (name: string) => names[name] ?? name;
  return {
    ...revival,
    properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [rename(name), part])),
    late: late.map(rename),
    plain: plain.map(rename),
    ...(defaults && {
      defaults: Object.fromEntries(Object.entries(defaults).map(([name, value]) => [rename(name), value])),
    }),
  };
}

/** Maps each name in the class to its name in JSON. */
export function inverse(names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(names).map(([json, name]) => [name, json]));
}

/** A value that matches the schema but cannot be converted to its type. */
export class UnrevivableError extends Error {
  override readonly name = 'UnrevivableError';

  constructor(
    readonly problems: readonly Problem[],
    options?: ErrorOptions,
  ) {
    super(problems.map(({ pointer, expected }) => `${pointer}: expected ${expected}`).join('\n'), options);
  }
}
