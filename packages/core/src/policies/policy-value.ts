import type { BoundOperation, Middleware, OfKind, Planned } from '../call/operation/operation.js';
import type { OperationKind } from '../base/operation-kinds.js';
import type { PolicyMap } from '../base/metadata/policy.js';

/** What makes a policy: how the arguments of its decorator become options, and what it adds to a chain. */
export interface PolicyDefinition<
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
}

/**
 * What the decorator of a policy records: its arguments as written. They are parsed when they are first
 * needed.
 */
export class PolicyValue<Options = unknown> {
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
}

/** The policy values of an operation, with their names. */
export function policyValues(policies: PolicyMap): { name: string; value: PolicyValue; origin: string }[] {
  return [...policies].flatMap(([name, { options, origin }]) =>
    options instanceof PolicyValue ? [{ name, value: options, origin }] : [],
  );
}
