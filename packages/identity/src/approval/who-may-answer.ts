import type { Principal } from '@toolwright/core';
import {
  type Answerer,
  type ApprovalRecord,
  isSame,
  mayBeSame,
  neededOf,
  personOf,
} from './approval-records.js';
import type { KeptDelegation } from './delegations.js';

/** Whether a person may answer a question, and with whose right. */
export type Standing =
  | { readonly as: Answerer; /** This right was used already. */ readonly hasApproved: boolean }
  | { readonly obstacle: string };

/** @param delegations those of which the person is the delegate */
export function standingOf(
  record: ApprovalRecord,
  person: Principal,
  delegations: readonly KeptDelegation[],
): Standing {
  const by = personOf(person);
  const obstacle = findObstacle(record, person);
  const hasApproved = (as: Answerer) => record.approvals.some((other) => areOfOnePerson(as, other));
  if (obstacle === undefined) return { as: { by }, hasApproved: hasApproved({ by }) };
  const rights = delegations
    .filter((delegation) => findObstacleOf(record, person, delegation) === undefined)
    .map(({ id, from }): Answerer => ({ by, for: from, delegation: id }));
  const as = rights.find((right) => !hasApproved(right)) ?? rights[0];
  return as ? { as, hasApproved: hasApproved(as) } : { obstacle };
}

/** A question after somebody has said yes. @returns `undefined` if the same person has said so before, or one for the other */
export function withApproval(
  record: ApprovalRecord,
  as: Answerer,
): (Partial<ApprovalRecord> & Pick<ApprovalRecord, 'status'>) | undefined {
  if (record.approvals.some((other) => areOfOnePerson(as, other))) return undefined;
  const approvals = [...record.approvals, as];
  return { approvals, status: approvals.length < neededOf(record) ? 'open' : 'approved' };
}

/** Nobody counts twice: not by themselves and by a delegate, nor as the delegate of two. */
function areOfOnePerson(one: Answerer, other: Answerer): boolean {
  const people = [other.by, ...(other.for ? [other.for] : [])];
  return [one.by, ...(one.for ? [one.for] : [])].some((person) =>
    people.some((each) => mayBeSame(person, each)),
  );
}

/** Why a person may neither see nor decide this question with their own right. */
function findObstacle({ rule, caller }: ApprovalRecord, person: Principal): string | undefined {
  // A scope of another organisation opens nothing here, and its people read nothing.
  if (caller.tenant !== person.tenant) return 'It belongs to another organisation.';
  const { scope, notCaller } = rule;
  if (scope !== undefined && !person.scopes.includes(scope))
    return `It needs the scope ${scope}, which you do not have.`;
  if (notCaller && mayBeSame(caller, person))
    return 'You have asked for it yourself, and another person must approve it.';
  if (scope === undefined && !notCaller && !isSame(caller, person))
    return 'Only the person whose program asks for it may approve it.';
  return undefined;
}

/**
 * Why a delegate may not decide it. A delegate has one right of the other person: the scope. The other person is asked about as
 * well, because a caller who names a delegate would approve the own call.
 */
function findObstacleOf(
  record: ApprovalRecord,
  person: Principal,
  { from, scopes }: KeptDelegation,
): string | undefined {
  if (record.rule.scope === undefined) return 'Nobody needs a right of somebody else.';
  return (
    findObstacle(record, { ...person, scopes }) ?? findObstacle(record, { ...from, scopes: [...scopes] })
  );
}
