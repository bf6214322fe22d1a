import type { Principal } from '@toolwright/core';
import type { ExtensionHost } from '@toolwright/core/extend';
import { type Answerer, type ApprovalRecord, neededOf, type Person } from './approval-records.js';
import type { KeptDelegation } from './delegations.js';

/** What has become of a question. The audit log and docs/approvals.md have these words. */
export type ApprovalEvent =
  'opened' | 'approved' | 'refused' | 'closed' | 'withdrawn' | 'expired' | 'erased' | 'not notified';

/** A question, with its id. */
export interface NamedQuestion {
  readonly id: string;
  readonly record: ApprovalRecord;
}

/** The audit log names people as principals. What they may do is not in it. */
const principalOf = (person: Person): Principal => ({ ...person, scopes: [] });

/** Writes to the audit log what becomes of approvals. No subject is in its fields: the log may have to write digests of them. */
export class ApprovalHistory {
  constructor(private readonly host: Pick<ExtensionHost, 'record'>) {}

  write(outcome: ApprovalEvent, { id, record }: NamedQuestion, answerer?: Answerer): void {
    const { operation, caller, approvals } = record;
    const needed = neededOf(record);
    this.host.record({
      operation: 'approval',
      name: operation.name,
      outcome,
      principal: principalOf(caller),
      approver: answerer && principalOf(answerer.by),
      fields: {
        question: id,
        ...(needed > 1 && { approvals: approvals.length, needed }),
        ...(answerer?.delegation !== undefined && { delegation: answerer.delegation }),
      },
    });
  }

  /** The principal has named the approver as delegate, or has ended that. */
  writeDelegation(
    outcome: 'delegated' | 'delegation ended',
    { id, from, to, scopes, until }: KeptDelegation,
  ): void {
    this.host.record({
      operation: 'approval',
      name: 'delegation',
      outcome,
      principal: principalOf(from),
      approver: principalOf(to),
      fields: { delegation: id, scopes: [...scopes], until: new Date(until).toISOString() },
    });
  }
}
