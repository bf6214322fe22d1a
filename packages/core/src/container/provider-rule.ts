import type { OptionRule, OptionSchema } from '../base/options/option-schema.js';
import {
  anyObject,
  anything,
  callback,
  either,
  flag,
  group,
  listOf,
  oneOf,
  required,
} from '../base/options/rules.js';
import {
  type AliasProvider,
  type ClassProvider,
  type FactoryProvider,
  type InjectOptions,
  type OptionalToken,
  type Scope,
  Token,
  type ValueProvider,
} from './provider.js';

const token: OptionRule = {
  expected: 'a class, a Token, a string or a symbol',
  accepts: (value) =>
    ['function', 'string', 'symbol'].includes(typeof value) ||
    value instanceof Token ||
    isForeignToken(value),
};

/** A token of another copy of this package is not an instance of our class. */
function isForeignToken(value: unknown): boolean {
  return anyObject.accepts(value) && (value as object).constructor.name === Token.name;
}

const scopes = ['singleton', 'session', 'request'] as const satisfies readonly Scope[];
export const scope = oneOf(...scopes);

export const injectOptions = { optional: flag } satisfies OptionSchema<InjectOptions>;

const optionalTokenOptions = {
  token: required(token),
  optional: required(flag),
} satisfies OptionSchema<OptionalToken>;

const provide = required(token);

const ways = {
  useClass: { provide, useClass: required(callback), scope } satisfies OptionSchema<ClassProvider>,
  useFactory: {
    provide,
    useFactory: required(callback),
    inject: listOf('a list of tokens', either(token, group(optionalTokenOptions))),
    scope,
  } satisfies OptionSchema<FactoryProvider>,
  useValue: { provide, useValue: { ...anything, required: true } } satisfies OptionSchema<ValueProvider>,
  useExisting: { provide, useExisting: required(token) } satisfies OptionSchema<AliasProvider>,
};

type Way = keyof typeof ways;

/**
 * A class, or an object that provides a value in exactly one way. The way decides which options are allowed.
 */
export const provider: OptionRule = {
  expected: 'a class, or { provide } with one of useClass, useFactory, useValue, useExisting',
  accepts: (value) =>
    callback.accepts(value) ||
    (anyObject.accepts(value) &&
      (value as { provide?: unknown }).provide !== undefined &&
      waysOf(value as object).length === 1),
  inside: (value, place) =>
    callback.accepts(value) ? [] : group(ways[waysOf(value as object)[0]!]).inside!(value, place),
};

function waysOf(value: object): Way[] {
  return (Object.keys(ways) as Way[]).filter((way) => way in value);
}
