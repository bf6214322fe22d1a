import type { AnyClass } from '@toolwright/ground/base/metadata/store';
import type { OptionRule, OptionSchema } from '@toolwright/ground/base/options/option-schema';
import {
  anyObject,
  callback,
  either,
  flag,
  group,
  listOf,
  oneOf,
  required,
} from '@toolwright/ground/base/options/rules';
import type { AroundMethod, CallSource } from '@toolwright/ground/call/operation/draft';
import type { Constructor, MaybePromise } from '@toolwright/json';

/** How long an instance lives: as long as the server, as one session of a client, or as one call. */
export type Scope = 'singleton' | 'session' | 'request';

/** Builds a class and injects the parameters of its constructor. */
export interface ClassProvider<T = unknown> {
  provide: InjectionToken<T>;
  useClass: Constructor<T & object>;
  scope?: Scope;
}

/**
 * Calls a function that makes the value. It gets the values of the tokens in `inject`, in that order. It may
 * be async.
 */
export interface FactoryProvider<T = unknown> {
  provide: InjectionToken<T>;
  useFactory: (...dependencies: never[]) => MaybePromise<T>;
  inject?: readonly (InjectionToken | OptionalToken)[];
  scope?: Scope;
}

/** Provides an existing value. The container never initialises or disposes it. */
export interface ValueProvider<T = unknown> {
  provide: InjectionToken<T>;
  useValue: T;
}

/** Provides another name for something else that is provided. */
export interface AliasProvider<T = unknown> {
  provide: InjectionToken<T>;
  useExisting: InjectionToken<T>;
}

/** An entry of `inject` that may be missing. */
export interface OptionalToken {
  token: InjectionToken;
  optional: boolean;
}

export function isOptionalToken(value: unknown): value is OptionalToken {
  return typeof value === 'object' && value !== null && 'optional' in value && 'token' in value;
}

/** Says how to get the value of a token. A class alone provides itself. */
export type Provider = Constructor | ClassProvider | FactoryProvider | ValueProvider | AliasProvider;

/**
 * The container calls `onInit` after it has initialised everything that the instance was built with, and
 * before the server takes its first call.
 */
export interface OnInit {
  onInit(): unknown;
}

/**
 * The container calls `onDispose` when the server closes, when the session ends (session scope) or when the
 * call ends (request scope). Afterwards it disposes what the instance was built with.
 */
export interface OnDispose {
  onDispose(): unknown;
}

/**
 * Names something that the container can provide and that no class can name: an interface, a value, or one
 * choice among several.
 *
 * @example
 * const DATABASE = new Token<Database>('database');
 */
export class Token<T> {
  /** Ties the type to the token. It is never set. */
  declare protected readonly type: T;

  constructor(readonly name: string) {}

  toString(): string {
    return `Token(${this.name})`;
  }
}

/** A class as a token. It may be abstract, and its constructor may be private; then a factory builds it. */
export type ClassToken<T> =
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- the only form that admits a private constructor
  (abstract new (...args: never[]) => T) | (Function & { readonly prototype: T });

/** Everything that the container can be asked for. */
export type InjectionToken<T = unknown> = ClassToken<T> | Token<T> | string | symbol;

/** The name of a token in messages. */
export function describeToken(token: unknown): string {
  if (typeof token === 'function') return token.name || 'an anonymous class';
  return typeof token === 'string' ? `"${token}"` : String(token);
}

export interface InjectOptions {
  /** Passes `undefined` when nothing provides the token. Default false: the server does not start. */
  optional?: boolean;
}

/** What is injected into a parameter: a token, or a function that returns one. */
export type Injected = InjectionToken | (() => InjectionToken);

/** Tokens by the names of parameters. */
export type NamedInjections = Readonly<Record<string, Injected | OptionalToken>>;

/** The content of an `@Inject` record on a class or on a method. */
export interface NamedInjectRecord {
  tokens: NamedInjections;
}

/** The content of an `@Inject` record. */
export interface InjectRecord extends InjectOptions {
  token: Injected;
}

/**
 * Another container that owns the instances (Nest, tsyringe, inversify). It is asked for everything that the
 * server's own `providers` do not provide. It builds, shares and disposes the instances that it returns.
 *
 * @example
 * const resolver: ExternalResolver = { resolve: (token) => tsyringe.resolve(token) };
 */
export interface ExternalResolver {
  /**
   * @param call present when the instance is for one call only; it is the same object each time that this call
   * needs something
   */
  resolve(token: InjectionToken, call?: CallSource): MaybePromise<unknown>;
  /**
   * Returns false when it cannot provide the token. Optional dependencies and the checks at boot need this.
   * Default: it can provide every token.
   */
  has?(token: InjectionToken): boolean;
  /**
   * Says how long the instances of a token live. Default: what `@McpService` or `@Injectable` says, or else as
   * long as the server.
   */
  scope?(token: InjectionToken): Scope | undefined;
  /**
   * Is asked once for each decorated method, at boot. If it returns a function, that function runs around each
   * call of the method, inside all guards and middleware. What it returns or throws counts as the method's own
   * result or error.
   */
  around?(method: DecoratedMember): AroundMethod | undefined;
}

/** A decorated method of a service. */
export interface DecoratedMember {
  readonly target: AnyClass;
  readonly name: string;
  /** True for a static method, which is called on its class. */
  readonly static: boolean;
}

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

/** An import or a variable that is missing would otherwise be found by the first call. */
const givenValue: OptionRule = {
  expected: 'a value',
  accepts: (value) => value !== undefined,
  remedy: () =>
    'Look whether a variable of the environment or an import is missing. For a value that is missing on purpose, write null.',
};

const ways = {
  useClass: { provide, useClass: required(callback), scope } satisfies OptionSchema<ClassProvider>,
  useFactory: {
    provide,
    useFactory: required(callback),
    inject: listOf('a list of tokens', either(token, group(optionalTokenOptions))),
    scope,
  } satisfies OptionSchema<FactoryProvider>,
  useValue: { provide, useValue: required(givenValue) } satisfies OptionSchema<ValueProvider>,
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
