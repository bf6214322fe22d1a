import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { problemAt } from '../../base/metadata/call-site.js';
import type { DecoratorRecord } from '../../base/metadata/store.js';
import { type OperationKind, factsOf, operationKinds } from '../../base/operation-kinds.js';
import { type AnyDraft, type Draft, locationOf } from '../../call/operation/draft.js';
import type { BoundOperation } from '../../call/operation/operation.js';
import { PolicyValue, policyValues } from '../../policies/define-policy.js';
import type { DecoratedKind, Service } from '../classes/service.js';

/** The kind of operation that an operation decorator creates. */
export function kindOf(decorated: DecoratedKind): OperationKind {
  return decorated === 'app' ? 'resource' : decorated;
}

/**
 * Reports policies without effect: on a method of another kind, or on a class without a method of their
 * kinds.
 */
export function findMisplacedPolicies({ name, records, operations }: Service): ConfigurationProblem[] {
  const kinds = operations.flatMap(({ offered }) => offered.map(({ kind }) => kindOf(kind)));
  const misplaced = (where: string, own: readonly DecoratorRecord[], offered: readonly OperationKind[]) =>
    own.flatMap((record) => {
      const value = policyOf(record);
      if (!value || offered.some((kind) => value.appliesTo(kind))) return [];
      const { message, fix } = explain(record.name, value, where);
      return [problemAt(record.site, 'TW_POLICY_MISPLACED', { message, fix })];
    });
  const withPolicies = operations.filter(({ records: own }) => own.some(({ kind }) => kind === 'policy'));
  return [
    ...misplaced(`the class ${name}, where no method is`, records.records, kinds),
    ...withPolicies.flatMap(({ method, records: own, offered }) =>
      misplaced(
        `${name}.${method}, which is not`,
        // If the whole class is one operation, its decorators are reported with the class.
        own.filter(({ place }) => place.on === 'method'),
        offered.map(({ kind }) => kindOf(kind)),
      ),
    ),
  ];
}

/** The same for an operation that is added while the server runs. */
export function findMisplacedOn(draft: AnyDraft): ConfigurationProblem[] {
  if (draft.policies.size === 0) return [];
  return policyValues(draft.policies)
    .filter(({ value }) => !value.appliesTo(draft.kind))
    .map(({ name, value }) => ({
      code: 'TW_POLICY_MISPLACED',
      ...explain(name, value, `the ${draft.kind} "${draft.name}", which is not`),
      ...locationOf(draft),
    }));
}

function policyOf({ kind, options }: DecoratorRecord): PolicyValue | undefined {
  return kind === 'policy' && options instanceof PolicyValue ? options : undefined;
}

function explain(policy: string, { definition }: PolicyValue, where: string) {
  const kinds =
    (definition.appliesTo ?? []).map((kind) => operationKinds[kind].plural).join(' and ') || 'nothing';
  return {
    message: `The policy "${policy}" is only for ${kinds}. It would do nothing on ${where} one of these.`,
    fix: `Remove its decorator there, or write it on a method that is one of these.`,
  };
}

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
