import { Concurrency, type ConcurrencyOptions } from '../../policies/concurrency.js';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import type { PolicyMap } from '../../base/metadata/policy.js';
import { locationOf, type Located } from '../../call/operation/draft.js';
import { operationKey, type Identified } from '../../call/operation/keys.js';

/** The parts of an operation that say which slots it shares. */
type Limited = Identified & Located & { readonly policies: PolicyMap };

/**
 * Reports operations that share the slots of a group but have different limits.
 *
 * @param operations the operations to add
 * @param others returns the existing operations; one with the same key is replaced and does not count
 */
export function findGroupConflicts(
  operations: readonly Limited[],
  others: () => readonly Limited[] = () => [],
): ConfigurationProblem[] {
  // Without a group of their own, the others need not be looked at.
  if (!operations.some((operation) => optionsOf(operation)?.group !== undefined)) return [];
  const added = new Set(operations.map(operationKey));
  const first = new Map<string, Limited>();
  const staying = others().filter((operation) => !added.has(operationKey(operation)));
  return [...staying, ...operations].flatMap((operation) => {
    const group = optionsOf(operation)?.group;
    if (group === undefined) return [];
    const known = first.get(group);
    if (!known) first.set(group, operation);
    return known && describe(known) !== describe(operation) ? [conflict(group, operation, known)] : [];
  });
}

function optionsOf(operation: Limited): ConcurrencyOptions | undefined {
  return operation.policies.size === 0 ? undefined : Concurrency.of(operation)?.options;
}

function describe(operation: Limited): string {
  const { max, per, queue } = optionsOf(operation)!;
  return `max: ${max}, per: '${per}', queue: ${queue}`;
}

function conflict(group: string, operation: Limited, first: Limited): ConfigurationProblem {
  const { location } = locationOf(first);
  return {
    code: 'TW_POLICY_INVALID',
    message: `The ${operation.kind} "${operation.name}" is in the concurrency group "${group}" with ${describe(operation)}, and the ${first.kind} "${first.name}"${location ? ` at ${location}` : ''} with ${describe(first)}.`,
    fix: 'Give all members of a group the same options, or one of them another group.',
    ...locationOf(operation),
  };
}
