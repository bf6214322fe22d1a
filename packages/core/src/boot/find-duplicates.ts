import type { ConfigurationProblem } from '../errors/configuration-error.js';
import { locationOf, type Located } from '../pipeline/draft.js';
import type { BoundOperation } from '../pipeline/operation.js';

/** As much of an operation as tells it apart. */
type Named = Pick<BoundOperation, 'kind' | 'name'> &
  Located & {
    readonly uri?: string;
    readonly uriTemplate?: string;
  };

/** What operations of one kind must not share. */
export function operationKey({ kind, name, uri, uriTemplate }: Named): string {
  return `${kind} ${uri ?? uriTemplate ?? name}`;
}

/** Reports every operation whose key another one had before it. */
export function findDuplicates(operations: readonly Named[]): ConfigurationProblem[] {
  const seen = new Map<string, Named>();
  return operations.flatMap((operation) => {
    const key = operationKey(operation);
    const first = seen.get(key);
    if (first) return [duplicateOf(operation, first)];
    seen.set(key, operation);
    return [];
  });
}

export function duplicateOf(operation: Named, first: Named): ConfigurationProblem {
  const { kind, name, uri, uriTemplate } = operation;
  const { location } = locationOf(first);
  const what = kind === 'resourceTemplate' ? 'resource template' : kind;
  return {
    code: 'TW_NAME_DUPLICATE',
    message: `There is a ${what} "${uri ?? uriTemplate ?? name}" already${location ? `, at ${location}` : ''}.`,
    fix: 'Give one of them another name, or remove it.',
    ...locationOf(operation),
  };
}
