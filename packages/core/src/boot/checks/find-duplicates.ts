import { factsOf } from '../../base/operation-kinds.js';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { locationOf, type Located } from '../../call/operation/draft.js';
import { addressOf, type Identified } from '../../call/operation/keys.js';

type Named = Identified & Located;

/** Reports every operation whose key an earlier operation already has. */
export function findDuplicates(operations: readonly Named[]): ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = [];
  // Grouped by kind, so that no key has to be built for each of a thousand operations.
  const seen = new Map<Named['kind'], Map<string, Named>>();
  operations.forEach((operation) => {
    const known = seen.get(operation.kind) ?? new Map<string, Named>();
    seen.set(operation.kind, known);
    const first = known.get(addressOf(operation));
    if (first) problems.push(duplicateOf(operation, first));
    else known.set(addressOf(operation), operation);
  });
  return problems;
}

export function duplicateOf(operation: Named, first: Named): ConfigurationProblem {
  const { location } = locationOf(first);
  return {
    code: 'TW_NAME_DUPLICATE',
    message: `There is a ${factsOf(operation).noun} "${addressOf(operation)}" already${location ? `, at ${location}` : ''}.`,
    fix: 'Give one of them another name, or remove it.',
    ...locationOf(operation),
  };
}
