import {
  type ObjectRevival,
  type Revival,
  itemRevival,
  partsOfRevival,
  propertyRevival,
} from '../values/revival.js';
import { accepts } from '../validation/validator.js';
import { addDefaults } from '../validation/from-text.js';
import { isObject, isPlainObject, setOwn } from '../base/json-values.js';
import { getOrMake, lazily } from '../schema/once.js';
import { readBase64 } from '../values/read-base64.js';
import {
  UnrevivableError,
  type WordsOf,
  buildInstance,
  inverse,
  renamed,
  restoreInitial,
} from './build-instance.js';
import type { DtoClass, TypeTable } from './class-types.js';
import type { PendingChecks } from './class-validator.js';

/** Returns the TypeScript value for a validated JSON value. Adds to `pending` what is left to do with it. */
export type Reviver = (value: unknown, pending: PendingChecks, pointer: string) => unknown;

export interface ReviveOptions {
  readonly types: TypeTable;
  /** Treats every DTO as one whose schema does not express everything. */
  readonly always: boolean;
  /** The properties of the value as a whole whose defaults the method applies. */
  readonly ownDefaults?: readonly string[] | undefined;
  readonly wordsOf?: WordsOf;
}

/**
 * Turns a revival into functions, once per tool. A reviver does not change values that are already revived
 * (by class-transformer), nor values that it cannot convert, because the schema has accepted those.
 */
export function compileRevival(revival: Revival, options: ReviveOptions): Reviver {
  return new RevivalCompiler(options).compile(revival);
}

class RevivalCompiler {
  readonly #named = new Map<string, () => Reviver>();

  constructor(private readonly options: ReviveOptions) {}

  compile(revival: Revival): Reviver {
    switch (revival.kind) {
      case 'date':
        return scalar(toDate, 'a date that exists');
      case 'bigint':
        return scalar(toBigInt, 'a whole number');
      case 'url':
        return scalar((value) => new URL(String(value)), 'a URL such as "https://example.com/page"');
      case 'bytes':
        return revival.buffer ? toBuffer : (...from) => asUint8Array(toBuffer(...from));
      case 'array':
        return this.#items(revival.items);
      case 'set':
        return this.#set(revival.items);
      case 'tuple':
        return this.#tuple(revival);
      case 'map':
        return this.#map(revival);
      case 'object':
        return this.#object(revival);
      case 'union':
        return this.#union(revival);
      case 'ref':
        return this.#ref(revival.name);
    }
  }

  #optional(revival: Revival | undefined | null): Reviver {
    return revival ? this.compile(revival) : (value) => value;
  }

  #items(items: Revival | undefined): Reviver {
    const item = this.#optional(items);
    return (value, pending, pointer) =>
      Array.isArray(value) ? value.map((part, index) => item(part, pending, `${pointer}/${index}`)) : value;
  }

  #set(items: Revival | undefined): Reviver {
    const array = this.#items(items);
    return (value, pending, pointer) => {
      if (!Array.isArray(value)) return value;
      const parts = array(value, pending, pointer) as unknown[];
      if (hasEqual(parts)) throw equalParts(pointer, 'no two equal items');
      return new Set(parts);
    };
  }

  #tuple(revival: Extract<Revival, { kind: 'tuple' }>): Reviver {
    const revivers = new Map(partsOfRevival(revival).map((part) => [part, this.compile(part)]));
    return (value, pending, pointer) =>
      Array.isArray(value)
        ? value.map((part: unknown, index) => {
            const found = itemRevival(revival, index, value.length);
            return found ? revivers.get(found)!(part, pending, `${pointer}/${index}`) : part;
          })
        : value;
  }

  #map({ keys, values }: Extract<Revival, { kind: 'map' }>): Reviver {
    const reviveKey = this.#optional(keys);
    const reviveValue = this.#optional(values);
    return (value, pending, pointer) => {
      if (typeof value !== 'object' || value === null || value instanceof Map) return value;
      const pairs = Array.isArray(value) ? (value as [unknown, unknown][]) : Object.entries(value);
      const revived = pairs.map(
        ([key, part]) =>
          [
            reviveKey(key, pending, pointer),
            reviveValue(part, pending, `${pointer}/${String(key)}`),
          ] as const,
      );
      if (hasEqual(revived.map(([key]) => key))) throw equalParts(pointer, 'no two equal keys');
      return new Map(revived);
    };
  }

  #object(revival: ObjectRevival): Reviver {
    const dto = revival.class === undefined ? undefined : this.#find(revival.class);
    const fromJson = this.#filler(revival);
    // An object that class-transformer built has the names of the class.
    const inClass = revival.names ? this.#filler(renamed(revival)) : fromJson;
    const names = revival.names && inverse(revival.names);
    const declare = (value: object, pending: PendingChecks, pointer: string) => {
      pending.declared.set(value, names);
      return restoreInitial(inClass(value, value, pending, pointer));
    };
    return (value, pending, pointer) => {
      if (!isObject(value)) return value;
      // It is checked together with the object that contains it.
      if (isBuilt(value))
        return isOfOtherClass(value, dto)
          ? inClass(value, value, pending, pointer)
          : declare(value, pending, pointer);
      if (!dto) return fromJson({}, value, pending, pointer);
      if (dto instanceof Error) throw dto;
      const { constructor: Dto, validation } = dto;
      if (validation === 'skip' && !this.options.always) {
        const instance = fromJson(new Dto(), value, pending, pointer);
        if (isMeasuredOtherwise(value)) {
          pending.declared.set(instance, names);
          pending.unchecked.push({ instance, pointer });
        }
        return instance;
      }
      const instance = buildInstance(Dto, value, { pointer, wordsOf: this.options.wordsOf });
      pending.unchecked.push({ instance, pointer });
      return declare(instance, pending, pointer);
    };
  }

  /** A class that cannot be loaded is not a problem if class-transformer builds its instances. */
  #find(key: string): DtoClass | Error | undefined {
    try {
      return this.options.types.dto(key);
    } catch (error) {
      return error as Error;
    }
  }

  /** Copies the properties of one object to another, or to itself, converted to their types. */
  #filler(revival: ObjectRevival) {
    const { properties = {}, late = [] } = revival;
    const revivers = new Map(Object.entries(properties).map(([name, part]) => [name, this.compile(part)]));
    const bySignature = this.#signatures(revival);
    const isLate = new Set(late);
    const complete = this.#completer(revival);
    return (target: object, given: object, pending: PendingChecks, pointer: string): object => {
      const source = complete ? complete(given, pointer) : given;
      for (const name of Object.keys(source)) {
        const part = (source as Record<string, unknown>)[name];
        const reviver = revivers.get(name) ?? bySignature?.(name);
        if (!reviver) setOwn(target, name, part);
        else if (!isLate.has(name)) setOwn(target, name, reviver(part, pending, `${pointer}/${name}`));
        else {
          setOwn(target, name, part);
          pending.later.push(() => setOwn(target, name, reviver(part, pending, `${pointer}/${name}`)));
        }
      }
      return target;
    };
  }

  /** Adds what a caller has left out. Most types have no such defaults. */
  #completer({ defaults }: ObjectRevival): ((given: object, pointer: string) => object) | undefined {
    if (!defaults) return undefined;
    const { ownDefaults = [] } = this.options;
    const all = Object.entries(defaults);
    const ofWhole = all.filter(([name]) => !ownDefaults.includes(name));
    return (given, pointer) => addDefaults({ ...given }, pointer === '' ? ofWhole : all);
  }

  /** Finds the reviver of a property by the index signatures of its type. Most types have none. */
  #signatures(revival: ObjectRevival): ((name: string) => Reviver | undefined) | undefined {
    const { patterns = [], additional } = revival;
    const found = [additional, ...patterns.map(({ revive }) => revive)].filter((part) => part !== undefined);
    if (found.length === 0) return undefined;
    const revivers = new Map(found.map((part) => [part, this.compile(part)]));
    return (name) => {
      const part = propertyRevival(revival, name);
      return part && revivers.get(part);
    };
  }

  #union({ options }: Extract<Revival, { kind: 'union' }>): Reviver {
    const alternatives = options.map(({ when, revive }) => ({
      // Most values never reach most of the alternatives of a large type.
      fits: lazily(() => accepts(this.options.types.whole?.(when) ?? when)),
      reviver: this.#optional(revive),
      isOf: this.#instanceTest(revive),
    }));
    return (value, pending, pointer) => {
      const known =
        isObject(value) && isBuilt(value) ? alternatives.find(({ isOf }) => isOf(value)) : undefined;
      const chosen = known ?? alternatives.find(({ fits }) => fits()(value));
      return chosen ? chosen.reviver(value, pending, pointer) : value;
    };
  }

  #instanceTest(revival: Revival | undefined): (value: object) => boolean {
    const named = revival?.kind === 'ref' ? this.options.types.revival(revival.name) : revival;
    const dto = named?.kind === 'object' && named.class !== undefined ? this.#find(named.class) : undefined;
    if (!dto || dto instanceof Error) return () => false;
    return (value) => value.constructor === dto.constructor;
  }

  /** Compiled when the first value reaches it: the type may contain itself, or a thousand others. */
  #ref(name: string): Reviver {
    const named = getOrMake(this.#named, name, () => lazily(() => this.compile(this.#findRevival(name))));
    const compiled = named;
    return (value, pending, pointer) => compiled()(value, pending, pointer);
  }

  #findRevival(name: string): Revival {
    const revival = this.options.types.revival(name);
    if (!revival) throw new Error(`The manifest has no revival "${name}". Run \`toolwright build\` again.`);
    return revival;
  }
}

/**
 * Whether two values are the same once they are converted: `1` and `"01"` are one bigint, and two texts are one date. A Map
 * would lose the entry of the first one.
 */
function hasEqual(values: readonly unknown[]): boolean {
  const known = values.map((value) =>
    value instanceof Date || value instanceof URL ? `${typeof value} ${value.toJSON()}` : value,
  );
  return new Set(known).size < known.length;
}

function equalParts(pointer: string, expected: string): UnrevivableError {
  return new UnrevivableError([{ pointer, expected, keyword: 'uniqueItems' }]);
}

/** The format of the schema may accept more than the type: leap seconds, relative URLs. */
function scalar(make: (value: string | number) => unknown, expected: string): Reviver {
  return (value, _, pointer) => {
    if (typeof value !== 'string' && typeof value !== 'number') return value;
    try {
      return make(value);
    } catch {
      throw new UnrevivableError([{ pointer, expected, keyword: 'format', received: { value } }]);
    }
  };
}

/**
 * Whether class-transformer has built another class than the type says, as it does for a discriminator with an unknown name.
 * The rules of the declared class would not be checked, so what the built class does not know is refused.
 */
function isOfOtherClass(value: object, dto: DtoClass | Error | undefined): boolean {
  if (!dto || dto instanceof Error || dto.validation === 'skip') return false;
  const { constructor: Dto } = dto;
  // A package may have two copies of the class.
  return !(value instanceof Dto) && value.constructor.name !== Dto.name;
}

/** Reading a number takes more than linear time. A megabyte of digits would delay every other call. */
const mostDigits = 4_096;

function toBigInt(value: string | number): bigint {
  if (String(value).length > mostDigits) throw new RangeError('Too many digits');
  return BigInt(value);
}

function toDate(value: string | number): Date {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) throw new RangeError('Invalid date');
  return date;
}

const toBuffer = scalar((value) => {
  const bytes = readBase64(String(value));
  if (!bytes) throw new RangeError('No base64');
  return bytes;
}, 'base64 without a prefix such as "data:"');

/**
 * A separate view, not one of Buffer's shared pool, because `bytes.buffer` must not contain the bytes of
 * others.
 */
function asUint8Array(value: unknown): unknown {
  return Buffer.isBuffer(value) ? new Uint8Array(value) : value;
}

/** class-validator does not count variation selectors as characters, but JSON Schema does. */
const variation = /[\uFE0E\uFE0F]/;

function isMeasuredOtherwise(value: object): boolean {
  for (const name of Object.keys(value)) {
    const part = (value as Record<string, unknown>)[name];
    if (typeof part === 'string' && variation.test(part)) return true;
  }
  return false;
}

/** Whether it is an instance of a class, built by class-transformer. */
function isBuilt(value: object): boolean {
  return !isPlainObject(value);
}
