import type { Revival } from '@toolwright/manifest';
import type { TypeTable } from '../target.js';
import { accepts } from '../validation/validator.js';
import { toInstance, type Unchecked } from '../validation/class-validation.js';
import type { Problem } from '../validation/problem.js';
import { setOwn } from './set-own.js';

/** Gives the TypeScript value for a validated JSON value; adds to `unchecked` what needs class-validator. */
export type Reviver = (value: unknown, unchecked: Unchecked[], pointer: string) => unknown;

/** A value that fits the schema and yet is none of its type. */
export class UnrevivableError extends Error {
  override readonly name = 'UnrevivableError';

  constructor(readonly problem: Problem) {
    super(`${problem.pointer}: expected ${problem.expected}`);
  }
}

export interface ReviveOptions {
  readonly types: TypeTable;
  /** Treat every DTO as one whose schema does not say it all. */
  readonly always: boolean;
}

/**
 * Turns a revival into functions, once per tool. A reviver leaves values alone that are revived already (class-
 * transformer may have been there first) and values it cannot make sense of: the schema has accepted those.
 */
export function compileRevival(revival: Revival, options: ReviveOptions): Reviver {
  return new RevivalCompiler(options).compile(revival);
}

class RevivalCompiler {
  readonly #named = new Map<string, Reviver>();

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
        return revival.buffer ? toBuffer : (value) => asUint8Array(toBuffer(value));
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
    return (value, unchecked, pointer) =>
      Array.isArray(value) ? value.map((part, index) => item(part, unchecked, `${pointer}/${index}`)) : value;
  }

  #set(items: Revival | undefined): Reviver {
    const array = this.#items(items);
    return (value, unchecked, pointer) =>
      Array.isArray(value) ? new Set(array(value, unchecked, pointer) as unknown[]) : value;
  }

  #tuple({ items, rest }: Extract<Revival, { kind: 'tuple' }>): Reviver {
    const positions = items.map((item) => this.#optional(item));
    const others = this.#optional(rest);
    return (value, unchecked, pointer) =>
      Array.isArray(value)
        ? value.map((part, index) => (positions[index] ?? others)(part, unchecked, `${pointer}/${index}`))
        : value;
  }

  #map({ keys, values }: Extract<Revival, { kind: 'map' }>): Reviver {
    const reviveKey = this.#optional(keys);
    const reviveValue = this.#optional(values);
    return (value, unchecked, pointer) => {
      if (typeof value !== 'object' || value === null || value instanceof Map) return value;
      const pairs = Array.isArray(value) ? (value as [unknown, unknown][]) : Object.entries(value);
      return new Map(
        pairs.map(([key, part]) => [
          reviveKey(key, unchecked, pointer),
          reviveValue(part, unchecked, `${pointer}/${String(key)}`),
        ]),
      );
    };
  }

  #object({ class: key, properties = {}, additional }: Extract<Revival, { kind: 'object' }>): Reviver {
    const revivers = new Map(Object.entries(properties).map(([name, part]) => [name, this.compile(part)]));
    const others = additional && this.compile(additional);
    const fill = (target: object, source: object, unchecked: Unchecked[], pointer: string) => {
      for (const name of Object.keys(source)) {
        const part = (source as Record<string, unknown>)[name];
        const reviver = revivers.get(name) ?? others;
        setOwn(target, name, reviver ? reviver(part, unchecked, `${pointer}/${name}`) : part);
      }
      return target;
    };
    const dto = key === undefined ? undefined : this.options.types.dto(key);
    if (!dto) {
      return (value, unchecked, pointer) => (isObject(value) ? fill({}, value, unchecked, pointer) : value);
    }
    const { constructor: Dto } = dto;
    if (dto.validation === 'skip' && !this.options.always) {
      return (value, unchecked, pointer) =>
        isObject(value) && !(value instanceof Dto) ? fill(new Dto(), value, unchecked, pointer) : value;
    }
    return (value, unchecked, pointer) => {
      if (!isObject(value)) return value;
      // What class-transformer made of it is checked as a whole: nested DTOs are checked through their parent.
      const instance = value instanceof Dto ? value : toInstance(Dto, value);
      fill(instance, instance, [], pointer);
      unchecked.push({ instance, pointer });
      return instance;
    };
  }

  #union({ options }: Extract<Revival, { kind: 'union' }>): Reviver {
    const alternatives = options.map(({ when, revive }) => ({
      fits: accepts(when),
      reviver: this.#optional(revive),
    }));
    return (value, unchecked, pointer) => {
      const chosen = alternatives.find(({ fits }) => fits(value));
      return chosen ? chosen.reviver(value, unchecked, pointer) : value;
    };
  }

  /** Recursive types: the reviver is looked up when it runs, so that it may refer to itself. */
  #ref(name: string): Reviver {
    if (!this.#named.has(name)) {
      this.#named.set(name, (value, unchecked, pointer) => this.#named.get(name)!(value, unchecked, pointer));
      const revival = this.options.types.revival(name);
      if (!revival) throw new Error(`The manifest has no revival "${name}". Run \`toolwright build\` again.`);
      this.#named.set(name, this.compile(revival));
    }
    return (value, unchecked, pointer) => this.#named.get(name)!(value, unchecked, pointer);
  }
}

/** The schema's format can be laxer than the type: leap seconds, relative URLs. */
function scalar(make: (value: string | number) => unknown, expected: string): Reviver {
  return (value, _, pointer) => {
    if (typeof value !== 'string' && typeof value !== 'number') return value;
    try {
      return make(value);
    } catch {
      throw new UnrevivableError({ pointer, expected, keyword: 'format', received: { value } });
    }
  };
}

/** Reading a number takes longer than its digits are many: a megabyte of them would hold up every other call. */
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

function toBuffer(value: unknown): unknown {
  return typeof value === 'string' ? Buffer.from(value, 'base64') : value;
}

/** A view of its own, not of Buffer's shared pool: `bytes.buffer` must not reach the bytes of others. */
function asUint8Array(value: unknown): unknown {
  return Buffer.isBuffer(value) ? new Uint8Array(value) : value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
