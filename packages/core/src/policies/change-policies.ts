import { ConfigurationError } from '@toolwright/ground/base/errors/configuration-error';
import type { PolicyEntry, PolicyMap } from '@toolwright/ground/base/metadata/store';
import { wrongOption } from '@toolwright/ground/base/options/option-schema';
import type { OptionSchema } from '@toolwright/ground/base/options/option-schema';
import { either, filledText, group, listOf, policyEntries } from '@toolwright/ground/base/options/rules';
import { didYouMean } from '@toolwright/json';
import { PolicyValue, isPolicyValue } from './define-policy.js';
import { builtInPolicies } from './guards.js';

/** What policies make, such as `RateLimit.entry(…)`. */
export type PolicyEntries = Iterable<readonly [name: string, entry: PolicyEntry]>;

/** How an update changes the policies of an operation. */
export interface PolicyChanges {
  /**
   * Is added to what is there. Scopes are united, and middleware runs inside the middleware that is there. Any other policy replaces the one of the same kind, such as an earlier limit.
   */
  readonly add?: PolicyEntries;
  /**
   * The policies that are taken away, also those of decorators and of a specification: by the name of the decorator, or
   * the name that `definePolicy` got. It comes before what is added.
   */
  readonly remove?: readonly string[];
}

/** The rule for what an update does with policies: a plain list adds. */
export const policyChanges = either(
  policyEntries,
  group({
    add: policyEntries,
    remove: listOf('a list of names of policies', filledText),
  } satisfies OptionSchema<PolicyChanges>),
);

/** Adds policies to what is there. Nothing of a guard that adds up is lost. */
export function addPolicies(there: PolicyMap, added: PolicyEntries): PolicyMap {
  const all = new Map(there);
  for (const [name, entry] of added) {
    const known = all.get(name);
    all.set(name, known ? united(name, known, entry) : entry);
  }
  return all;
}

/** @throws {ConfigurationError} for an entry that turns off what is there, such as `RateLimit.entry(false)` */
function united(name: string, there: PolicyEntry, added: PolicyEntry): PolicyEntry {
  const [outer, inner] = [there.options, added.options];
  if (!(isPolicyValue(outer) && isPolicyValue(inner))) return added;
  if (inner.options !== false || outer.options === false)
    return { ...added, options: PolicyValue.add(outer, inner) };
  const [decorator] = [...builtInPolicies].find(([, { policyName }]) => policyName === name) ?? [name];
  throw wrongOption(
    `"policies" adds ${decorator}.entry(false) to an operation that has @${decorator}: what is added takes no guard away.`,
    `Write policies: { remove: ['${decorator}'], add: [${decorator}.entry(false)] }.`,
  );
}

/** What an update says, in its long form. */
export function changesOf(given: PolicyEntries | PolicyChanges): PolicyChanges {
  return Symbol.iterator in given ? { add: given } : given;
}

export function changePolicies(there: PolicyMap, { add = [], remove = [] }: PolicyChanges): PolicyMap {
  const gone = new Set(remove.map(policyNameOf));
  return addPolicies(new Map([...there].filter(([name]) => !gone.has(name))), add);
}

/** One change that does what two do, one after the other. */
export function joinChanges(first: PolicyChanges, second: PolicyChanges): PolicyChanges {
  const before = changePolicies(new Map(), first);
  return {
    remove: [...new Set([...(first.remove ?? []), ...(second.remove ?? [])])],
    add: changePolicies(before, second),
  };
}

/**
 * A name with a typing mistake must not seem to have worked.
 *
 * @param present the policies of the operations that are there
 * @throws {ConfigurationError} for a name that no policy has
 */
export function checkRemoved({ remove = [] }: PolicyChanges, present: Iterable<PolicyMap>): void {
  const own = new Set([...present].flatMap((policies) => [...policies.keys()]));
  const builtIn = new Set([...builtInPolicies.values()].map(({ policyName }) => policyName));
  const unknown = remove.filter((name) => !(builtIn.has(policyNameOf(name)) || own.has(name)));
  if (unknown.length === 0) return;
  const known = [...builtInPolicies.keys(), ...[...own].filter((name) => !builtIn.has(name))];
  throw new ConfigurationError(
    unknown.map((name) => ({
      code: 'TW_OPTION_INVALID',
      message: `"policies.remove" names "${name}", and there is no such policy.${didYouMean(name, known)}`,
      fix: 'Write the name of the decorator, such as "Confirm", or the name that definePolicy got.',
    })),
  );
}

function policyNameOf(name: string): string {
  return builtInPolicies.get(name)?.policyName ?? name;
}
