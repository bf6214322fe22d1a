import { ConfigurationError } from '@toolwright/ground/base/errors/configuration-error';
import type { PolicyEntry, PolicyMap } from '@toolwright/ground/base/metadata/store';
import type { OperationKind } from '@toolwright/ground/base/operation-kinds';
import { type OptionSchema, parseOptions } from '@toolwright/ground/base/options/option-schema';
import { anyObject, anything, callback } from '@toolwright/ground/base/options/rules';
import type {
  BoundOperation,
  Middleware,
  OfKind,
  Planned,
} from '@toolwright/ground/call/operation/operation';
import { checkKinds } from '@toolwright/ground/call/operation/registry';
import { type ClassOrMethodDecorator, recording } from '../decorators/recording.js';

/** A policy. Call it to decorate a class or a method. Ask `of` for the options that apply to an operation. */
export interface Policy<Args extends readonly unknown[], Options> {
  (...args: Args): ClassOrMethodDecorator;
  readonly policyName: string;
  /** The effective options of an operation, and where they were written; `undefined` when it has none. */
  of(operation: { readonly policies: PolicyMap }): PolicyEntry<Options> | undefined;
  /** Makes an entry for a `PolicyMap`, for tools that are added at run time and have no decorators. */
  entry(...args: Args): [name: string, entry: PolicyEntry];
}

const policyOptions = {
  parse: callback,
  plan: callback,
  appliesTo: anything,
  combine: callback,
  add: callback,
  extension: anyObject,
} satisfies OptionSchema<PolicyDefinition<readonly unknown[], unknown>>;

/**
 * Makes a policy of your own: a decorator for classes and methods whose options middleware can read. The
 * options on a method win over those on its class.
 *
 * @param name unique among the policies of a server
 * @param definition.appliesTo the kinds of operations that it works for; default: all. On any other kind it
 * is a boot error
 * @throws {ConfigurationError} for options that are unknown or have the wrong type
 * @example
 * const Owner = definePolicy<{ team: string }>('owner', {
 *   plan: ({ team }) => (call, next) => { metrics.count(team); return next(); },
 * });
 * class PageTools { @McpTool() @Owner({ team: 'docs' }) search() { … } }
 */
export function definePolicy<
  Args extends readonly unknown[],
  Options,
  K extends OperationKind = OperationKind,
>(
  name: string,
  definition: PolicyDefinition<Args, Options, K> & { parse: (...args: Args) => Options },
): Policy<Args, Options>;
export function definePolicy<Options, K extends OperationKind = OperationKind>(
  name: string,
  definition?: PolicyDefinition<[options: Options], Options, K>,
): Policy<[options: Options], Options>;
export function definePolicy<Args extends readonly unknown[], Options>(
  name: string,
  definition: PolicyDefinition<Args, Options> = {},
): Policy<Args, Options> {
  parseOptions(`the policy "${name}"`, policyOptions, definition);
  checkKinds(definition.appliesTo);
  const { parse = (options: Options) => options } = definition as PolicyDefinition<
    readonly [Options],
    Options
  >;
  const value = (args: Args) =>
    new PolicyValue(definition as PolicyDefinition<never, Options>, () =>
      parse(...(args as unknown as [Options])),
    );

  const decorate = (...args: Args): ClassOrMethodDecorator => {
    const combine = definition.combine && {
      combine: PolicyValue.combine as (outer: unknown, inner: unknown) => unknown,
    };
    return recording({ kind: 'policy', name, options: value(args), ...combine }, decorate);
  };
  const of = ({ policies }: { policies: PolicyMap }): PolicyEntry<Options> | undefined => {
    const entry = policies.get(name) as PolicyEntry<PolicyValue<Options>> | undefined;
    return entry && { options: entry.options.options, origin: entry.origin };
  };
  const entry = (...args: Args): [string, PolicyEntry] => [name, { options: value(args), origin: 'method' }];
  return Object.assign(decorate, { policyName: name, of, entry });
}

/** What makes a policy: how the arguments of its decorator become options, and what it adds to a chain. */
interface PolicyDefinition<
  Args extends readonly unknown[],
  Options,
  K extends OperationKind = OperationKind,
> {
  /**
   * Checks and normalises the arguments of the decorator. It runs at boot, once for each place. An error that
   * it throws is reported as a problem of that place.
   */
  parse?: (...args: Args) => Options;
  /**
   * The middleware for an operation with this policy; `undefined` for none. Leave `plan` out if other code
   * reads the policy.
   */
  plan?: (options: Options, operation: Planned<OfKind<K>>) => Middleware<OfKind<K>> | undefined;
  /**
   * The kinds of operations that it works for. Default: all. On a method of any other kind it is a boot
   * error. On a class it applies to the methods of these kinds; if there are none, it is a boot error.
   */
  appliesTo?: readonly K[];
  /**
   * Combines the options of the class and of the method, for policies that add up. Default: the method wins.
   */
  combine?: (outer: Options, inner: Options) => Options;
  /**
   * Combines what an operation has with what an update adds. Default: `combine`; without it, what is added wins.
   */
  add?: (there: Options, added: Options) => Options;
  /**
   * The extension of the package that brings the policy (`@toolwright/core/extend`). A server starts it when one of its
   * services has the decorator on its class or on a method.
   */
  extension?: { readonly name: string };
}

/** The options of a policy that takes one word. @throws {RangeError} for another one */
export function oneWord<Word extends string>(...words: readonly Word[]): (word: Word) => Word {
  return (word) => {
    if (words.includes(word)) return word;
    throw new RangeError(
      `${JSON.stringify(word)} is none of ${words.map((each) => `'${each}'`).join(', ')}.`,
    );
  };
}

const VALUE = Symbol.for('toolwright.policyValue');

/** True for what the decorator of a policy recorded, from this copy of the package or another. */
export function isPolicyValue(options: unknown): options is PolicyValue {
  return typeof options === 'object' && options !== null && VALUE in options;
}

/**
 * What the decorator of a policy records: its arguments as written. They are parsed when they are first
 * needed.
 */
export class PolicyValue<Options = unknown> {
  /** The mark is found by its key and not by the class. So a policy that another copy of this package has recorded is not ignored. */
  get [VALUE](): true {
    return true;
  }

  #parsed: { options: Options } | undefined;

  constructor(
    readonly definition: PolicyDefinition<never, Options>,
    private readonly parse: () => Options,
  ) {}

  appliesTo(kind: BoundOperation['kind']): boolean {
    const { appliesTo } = this.definition;
    return !appliesTo || appliesTo.includes(kind);
  }

  get options(): Options {
    return (this.#parsed ??= { options: this.parse() }).options;
  }

  /** Combines an outer and an inner value, for the metadata store. */
  static combine<Options>(outer: PolicyValue<Options>, inner: PolicyValue<Options>): PolicyValue<Options> {
    const { combine } = inner.definition;
    return new PolicyValue(inner.definition, () =>
      combine ? combine(outer.options, inner.options) : inner.options,
    );
  }

  /** The value of an operation that has one and gets another. */
  static add<Options>(there: PolicyValue<Options>, added: PolicyValue<Options>): PolicyValue<Options> {
    const { combine, add = combine } = added.definition;
    return new PolicyValue(added.definition, () => (add ? add(there.options, added.options) : added.options));
  }
}

/** The policy values of an operation, with their names. */
export function policyValues(policies: PolicyMap): { name: string; value: PolicyValue; origin: string }[] {
  return [...policies].flatMap(([name, { options, origin }]) =>
    isPolicyValue(options) ? [{ name, value: options, origin }] : [],
  );
}

/**
 * Parses the options of a policy now. Otherwise they are parsed when they are first read.
 *
 * @param where the class and the method that have the policy, for people
 * @returns the problems; undefined when there are none
 */
export function readPolicy(name: string, value: PolicyValue, where: string): ConfigurationError | undefined {
  try {
    void value.options;
    return undefined;
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    const message = `The policy ${name} of ${where}: ${(error as Error).message}`;
    return new ConfigurationError({ code: 'TW_POLICY_INVALID', message, fix: 'Correct the decorator.' });
  }
}
