import type { DecoratorRecord } from './store.js';

/**
 * The effective policies of a method. A policy of the method replaces that of the class. If a policy
 * combines, the part of the class is outside the part of the method.
 */
export function mergePolicies(
  classRecords: readonly DecoratorRecord[],
  methodRecords: readonly DecoratorRecord[],
): PolicyMap {
  if (!hasPolicies(classRecords, methodRecords)) return NONE;
  const policies = new Map<string, PolicyEntry>();
  apply(policies, classRecords, 'class');
  apply(policies, methodRecords, 'method');
  return policies;
}

const NONE: PolicyMap = new Map();

/** False for most methods, so their records need not be searched. */
export function hasPolicies(
  classRecords: readonly DecoratorRecord[],
  methodRecords: readonly DecoratorRecord[],
): boolean {
  return classRecords.some(isPolicy) || methodRecords.some(isPolicy);
}

function isPolicy({ kind }: DecoratorRecord): boolean {
  return kind === 'policy';
}

function apply(
  policies: Map<string, PolicyEntry>,
  records: readonly DecoratorRecord[],
  origin: PolicyOrigin,
): void {
  for (const { kind, name, options, combine } of records) {
    if (kind !== 'policy') continue;
    const outer = policies.get(name);
    policies.set(name, { options: outer && combine ? combine(outer.options, options) : options, origin });
  }
}

/** The place of an effective policy. */
export type PolicyOrigin = 'method' | 'class' | 'server';

export interface PolicyEntry<Options = unknown> {
  readonly options: Options;
  readonly origin: PolicyOrigin;
}

/** The effective policies of one operation, by the name of the policy. */
export type PolicyMap = ReadonlyMap<string, PolicyEntry>;
