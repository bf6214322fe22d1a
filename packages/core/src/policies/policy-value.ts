import type { BoundOperation, Middleware, Planned } from '../call/operation/operation.js';
import type { PolicyMap } from '../base/metadata/policy.js';

/** What makes a policy: how its decorator's arguments become options, and what it adds to a chain. */
export interface PolicyDefinition<Args extends readonly unknown[], Options> {
  /**
   * Checks and normalises the decorator's arguments, once per place, at boot. What it throws is reported as a problem
   * at that place.
   */
  parse?: (...args: Args) => Options;
  /** The middleware for an operation with this policy; undefined for none. Without `plan` the policy is read by others. */
  plan?: (options: Options, operation: Planned) => Middleware | undefined;
  /**
   * The kinds of operations that it works for; default: all. On a method that is none of these it is a boot error. On a
   * class it holds for those methods that are, and is a boot error where none is.
   */
  appliesTo?: readonly BoundOperation['kind'][];
  /** For policies that add up: what the class says and what the method says in one. Default: the method wins. */
  combine?: (outer: Options, inner: Options) => Options;
}

/** What a policy's decorator records: the arguments as written, parsed when they are first needed. */
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

  /** For the metadata store: this value inside of an outer one. */
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
