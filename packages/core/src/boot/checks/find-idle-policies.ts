import { factsOf } from '../../base/operation-kinds.js';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import type { AnyDraft, Draft } from '../../call/operation/draft.js';
import type { BoundOperation } from '../../call/operation/operation.js';
import { problemAt } from '../../base/metadata/site-problem.js';
import type { Service } from '../services/service.js';

interface ClassPolicy {
  /** Whether the policy on a class skips tools with these annotations. */
  leavesOut(annotations: { readonly readOnlyHint?: boolean }): boolean;
  readonly what: string;
  readonly fix: string;
}

const classPolicies: Readonly<Record<string, ClassPolicy>> = {
  cache: {
    leavesOut: ({ readOnlyHint }) => readOnlyHint !== true,
    what: '@Cache on a class is not for tools without readOnlyHint: true',
    fix: 'Add annotations: { readOnlyHint: true } to the tools that only read, or remove @Cache.',
  },
  confirm: {
    leavesOut: ({ readOnlyHint }) => readOnlyHint === true,
    what: '@Confirm on a class is not for tools with readOnlyHint: true',
    fix: 'Remove it, or write it on the method that it is meant for.',
  },
};

/** Reports policies on a class that skip all its operations because of their annotations. */
export function findIdlePolicies(
  { name, records }: Service,
  drafts: readonly Draft<BoundOperation>[],
): ConfigurationProblem[] {
  return records.records.flatMap((record) => {
    const policy = record.kind === 'policy' ? classPolicies[record.name] : undefined;
    if (!policy) return [];
    const under = (drafts as readonly AnyDraft[]).filter(
      ({ policies }) => policies.get(record.name)?.origin === 'class',
    );
    const isIdle = under.every((draft) => factsOf(draft).hasHints && policy.leavesOut(draft.annotations));
    if (under.length === 0 || !isIdle) return [];
    const message = `${policy.what}. The class ${name} has only such tools, so the policy would do nothing.`;
    return [problemAt(record.site, 'TW_POLICY_MISPLACED', { message, fix: policy.fix })];
  });
}
