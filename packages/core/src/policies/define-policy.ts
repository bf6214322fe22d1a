import type { PolicyEntry, PolicyMap } from '../base/metadata/policy.js';
import type { OptionSchema } from '../base/options/option-schema.js';
import { parseOptions } from '../base/options/parse-options.js';
import { anything, callback } from '../base/options/rules.js';
import type { OperationKind } from '../base/operation-kinds.js';
import { PolicyValue, type PolicyDefinition } from './policy-value.js';
import { checkKinds } from '../call/operation/operation-kinds.js';
import { recording, type ClassOrMethodDecorator } from '../decorators/recording.js';

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
