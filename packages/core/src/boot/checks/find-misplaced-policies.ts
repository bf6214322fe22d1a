import { operationKinds, type OperationKind } from '../../base/operation-kinds.js';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import type { DecoratorRecord } from '../../base/metadata/store.js';
import { locationOf } from '../../call/operation/draft.js';
import type { AnyDraft } from '../../call/operation/draft.js';
import { PolicyValue, policyValues } from '../../policies/define-policy.js';
import { problemAt } from '../../base/metadata/site-problem.js';
import type { DecoratedKind, Service } from '../services/service.js';

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
