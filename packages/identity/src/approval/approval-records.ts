import type { Principal } from '@toolwright/core';
import type { ApproverRule } from '@toolwright/core/extend';
import type { Clock, RecordStore } from '@toolwright/core/ports';
import { present } from '@toolwright/json';
import { QuestionRecords } from '../pages/question-records.js';
import type { SealedRoom } from '../subjects/sealed-room.js';

/** Who somebody is, as far as approvals go. */
export interface Person {
  readonly issuer?: string;
  readonly subject: string;
  readonly clientId?: string;
  readonly tenant?: string;
}

/** Who has answered, and with whose right. */
export interface Answerer {
  readonly by: Person;
  /** Whose right it was, if that person has named `by` as delegate. */
  readonly for?: Person;
  /** The id of the delegation. */
  readonly delegation?: string;
}

/**
 * - `open`: nobody has decided, or too few have approved
 * - `approved`: as many as it needs said yes, and the call has not begun
 * - `used`: the call has begun; the approval is worth nothing any more
 * - `refused`: somebody said no
 * - `closed`: the caller closed the page of their own call without an answer
 * - `withdrawn`: the client or its person ended the question
 * - `expired`: nobody decided in time
 */
export type ApprovalStatus = 'open' | 'approved' | 'used' | 'refused' | 'closed' | 'withdrawn' | 'expired';

/** A question that people answer on the page. */
export interface ApprovalRecord {
  readonly status: ApprovalStatus;
  /** What the approval is worth for: a digest of operation, caller, arguments and rule. */
  readonly binding: string;
  readonly operation: { readonly kind: string; readonly name: string; readonly title?: string };
  readonly message: string;
  readonly shown: Readonly<Record<string, unknown>>;
  readonly caller: Person;
  /** What the client calls itself. Nobody has checked it. */
  readonly client?: string;
  readonly rule: ApproverRule;
  readonly opened: number;
  readonly expires: number;
  /** Who has approved, each of them once. */
  readonly approvals: readonly Answerer[];
  /** Who has refused. */
  readonly refusal?: Answerer;
}

const ROOM = 'approvals';
/** Records of one approver, as they were before, cannot be opened: a process of then would take one answer for enough. */
const SEAL = 'approvals';

/** The questions of all processes. */
export class ApprovalRecords extends QuestionRecords<ApprovalRecord> {
  constructor(store: RecordStore, clock: Clock, secrets: readonly string[]) {
    super(store, clock, secrets, { room: ROOM, purpose: SEAL });
  }
}

const peopleOf = (answerer: Answerer | undefined) => [answerer?.by, answerer?.for];

/** The questions as operators find them by those who asked and those who answered. */
export const approvalRoom: SealedRoom<ApprovalRecord> = {
  kind: 'approvals',
  rooms: [ROOM],
  seal: SEAL,
  people: ({ caller, approvals, refusal }) => [caller, ...approvals.flatMap(peopleOf), ...peopleOf(refusal)],
  show: ({ binding: _, rule: __, ...shown }) => shown,
};

/** How many people have to approve it. */
export const neededOf = ({ rule }: Pick<ApprovalRecord, 'rule'>): number => rule.count ?? 1;

export function personOf({ issuer, subject, tenant, clientId }: Principal): Person {
  return present({ issuer, subject, tenant, clientId });
}

export function isSame(one: Person, other: Person): boolean {
  return one.subject === other.subject && (one.issuer ?? '') === (other.issuer ?? '');
}

/** False only if they are certainly two people: without an issuer, nobody knows whose subject it is. */
export function mayBeSame(one: Person, other: Person): boolean {
  const isKnown = one.issuer !== undefined && other.issuer !== undefined;
  return one.subject === other.subject && (!isKnown || one.issuer === other.issuer);
}
