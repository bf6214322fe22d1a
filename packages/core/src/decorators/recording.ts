import { ConfigurationError } from '@toolwright/ground/base/errors/configuration-error';
import { CallSite, callerOf } from '@toolwright/ground/base/metadata/call-site';
import {
  type AnyClass,
  type DecoratorRecord,
  type DecoratorPlace,
  addRecord,
} from '@toolwright/ground/base/metadata/store';
import type { AnyOptionSchema } from '@toolwright/ground/base/options/option-schema';

/**
 * A decorator for a class or a method. It works under `experimentalDecorators` and as a standard decorator.
 */
export interface ClassOrMethodDecorator extends ClassOnlyDecorator, MethodOnlyDecorator, NotForProperties {}

export interface ClassOnlyDecorator {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- what TypeScript passes
  (target: Function, context?: ClassDecoratorContext): void;
}

/**
 * The container would build an abstract class without an error, but its abstract methods would be missing.
 */
export interface ConcreteClassDecorator {
  (target: new (...args: never[]) => object, context?: ClassDecoratorContext): void;
}

export interface MethodOnlyDecorator {
  (target: object, key: string | symbol, descriptor: PropertyDescriptor): void;
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- what TypeScript passes
  (value: Function, context: ClassMethodDecoratorContext): void;
}

/** The compiler shows the name of what this returns, as the reason why the decorator does not fit. */
interface NotForProperties {
  (
    target: object | undefined,
    member: string | symbol | ClassFieldDecoratorContext,
  ): WriteAMethodInPlaceOfThisProperty;
}

interface WriteAMethodInPlaceOfThisProperty {
  readonly [decorators]: 'of operations are for methods';
}
declare const decorators: unique symbol;

/** A decorator for a parameter. These exist only under `experimentalDecorators`. */
export interface ParameterOnlyDecorator {
  (target: object, key: string | symbol | undefined, index: number): void;
}

type Recorded = Pick<DecoratorRecord, 'kind' | 'options'> &
  Partial<Pick<DecoratorRecord, 'name' | 'schema' | 'combine' | 'extension'>>;

/**
 * Makes the decorator that a factory returns. The decorator only leaves a record, with the place where it was
 * written.
 *
 * @param recorded what to record
 * @param factory the factory itself, so that the call site is the factory's caller
 */
export function recording(
  recorded: Recorded,
  factory: (...args: never[]) => unknown,
): (...args: DecoratorArguments) => never {
  const site = new CallSite(factory);
  const { kind, options, name = '', schema, combine, extension } = recorded;
  if (isDecorated(options)) throw uncalled(factory.name, site);
  return (target, key, third) => {
    const { holder, place } = placeOf({ target, key, third }, site);
    addRecord(holder, { kind, name, options, place, site, schema, combine, extension });
    // It returns nothing: the type only has to fit each kind of decorator.
    return undefined as never;
  };
}

/** What the decorator of a background method records. */
export interface RecordedBackground<Options extends object = object> {
  /** The name of the decorator, for messages: `Probed`. */
  readonly name: string;
  /** All that was written, as an object. */
  readonly options: Options;
  /** Options that break these rules are problems at boot, with the place of the decorator. */
  readonly rules: AnyOptionSchema;
  /** The extension of the package. Its part `background` runs the method. */
  readonly extension: { readonly name: string };
}

/**
 * Makes the decorator of a method that a package runs, and that nobody calls. A server that has such a method starts the
 * extension.
 *
 * @param factory the function that is called to decorate, so that the call site is its caller
 */
export function backgroundMethod<Options extends object>(
  { name, options, rules, extension }: RecordedBackground<Options>,
  factory: (...args: never[]) => unknown,
): MethodOnlyDecorator {
  return recording({ kind: 'background', name, options, schema: rules, extension }, factory);
}

/** A place together with the object that keeps the records of its class. */
interface Located {
  /** The class, or the `context.metadata` of a standard decorator. */
  holder: object;
  place: DecoratorPlace;
}

/** Any arguments a decorator can be called with, legacy (target, key, descriptor or index) or standard. */
type DecoratorArguments = readonly [target: unknown, keyOrContext?: unknown, third?: unknown];

/** The same by name. */
interface Decorated {
  target: unknown;
  key: unknown;
  third: unknown;
}

interface StandardContext {
  kind: string;
  name: string | symbol;
  static?: boolean;
  private?: boolean;
  metadata?: object;
}

/**
 * Finds out what a decorator was written on, from the arguments the compiler passes: those of
 * `experimentalDecorators` or those of standard decorators.
 *
 * @throws {ConfigurationError} on fields, accessors, private methods and symbol-named methods
 */
function placeOf({ target, key, third }: Decorated, site: CallSite): Located {
  if (isStandardContext(key)) return standardPlace(target, key, site);
  if (typeof target === 'function' && key === undefined && third === undefined) {
    return { holder: target, place: { on: 'class' } };
  }
  const isStatic = typeof target === 'function';
  const holder = isStatic ? target : (target as object).constructor;
  if (typeof third === 'number') {
    const method = key === undefined ? undefined : methodName(key, site);
    return {
      holder,
      place: { on: 'parameter', method, static: isStatic && key !== undefined, index: third },
    };
  }
  if (typeof (third as PropertyDescriptor | undefined)?.value !== 'function')
    throw misplaced(`the ${third ? 'accessor' : 'property'} "${String(key)}"`, site);
  return { holder, place: { on: 'method', method: methodName(key, site), static: isStatic } };
}

function standardPlace(target: unknown, context: StandardContext, site: CallSite): Located {
  if (context.kind === 'class') return { holder: target as object, place: { on: 'class' } };
  if (context.kind !== 'method' || context.private)
    throw misplaced(`the ${context.kind} "${String(context.name)}"`, site);
  if (!context.metadata) {
    throw new ConfigurationError({
      code: 'TW_DECORATOR_METADATA',
      message: `The compiler passes no decorator metadata for the method "${String(context.name)}".`,
      fix: 'Compile with TypeScript 5.2 or later (swc: decoratorVersion "2022-03"), or with experimentalDecorators.',
      ...at(site),
    });
  }
  return {
    holder: context.metadata,
    place: { on: 'method', method: methodName(context.name, site), static: context.static ?? false },
  };
}

function isStandardContext(value: unknown): value is StandardContext {
  return typeof value === 'object' && value !== null && 'kind' in value && 'name' in value;
}

function methodName(key: unknown, site: CallSite): string {
  if (typeof key === 'string') return key;
  throw misplaced(`the method ${String(key)}`, site);
}

function misplaced(what: string, site: CallSite): ConfigurationError {
  return wrongPlace(
    `A decorator was written on ${what}, where it has no meaning.`,
    'Put it on a class, on a public method with a string name, or on a parameter, as its documentation says. A function in a property is not a method: write `name() { … }`.',
    site,
  );
}

/** What a decorator without parentheses gets as its options: the class, or the prototype that has the method. */
function isDecorated(options: unknown): boolean {
  if (typeof options === 'function') return true;
  return (options as { constructor?: AnyClass } | null)?.constructor?.prototype === options;
}

function uncalled(name: string, site: CallSite): ConfigurationError {
  // What TypeScript emits calls it. Between the two is the code of reflect-metadata.
  const location = callerOf('__decorate') ?? site.location;
  return wrongPlace(`@${name} was written without parentheses.`, `Write @${name}().`, { location });
}

function wrongPlace(message: string, fix: string, site: Pick<CallSite, 'location'>): ConfigurationError {
  return new ConfigurationError({ code: 'TW_DECORATOR_PLACE', message, fix, ...at(site) });
}

function at({ location }: Pick<CallSite, 'location'>): { location?: string } {
  return location ? { location } : {};
}
