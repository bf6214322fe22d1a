import type { ApproverRule } from '@toolwright/core/extend';
import type { Clock, RecordStore } from '@toolwright/core/ports';
import { QuestionRecords } from '../pages/question-records.js';
import type { SealedRoom } from '../subjects/sealed-room.js';

/** Who somebody is, as far as approvals go. */
export interface Person {
  readonly issuer?: string;
  readonly subject: string;
  readonly clientId?: string;
  readonly tenant?: string;
}

/**
 * - `open`: nobody has decided
 * - `approved`: somebody said yes, and the call has not begun
 * - `used`: the call has begun; the approval is worth nothing any more
 * - `refused`: somebody said no
 * - `closed`: somebody closed the page without an answer
 * - `withdrawn`: the client or its person ended the question
 */
export type ApprovalStatus = 'open' | 'approved' | 'used' | 'refused' | 'closed' | 'withdrawn';

/** A question that a person answers on the page. */
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
  readonly expires: number;
  /** Who approved or refused. */
  readonly by?: Person;
}

const ROOM = 'approvals';
const SEAL = 'approval';

/** The questions of all processes. */
export class ApprovalRecords extends QuestionRecords<ApprovalRecord> {
  constructor(store: RecordStore, clock: Clock, secrets: readonly string[]) {
    super(store, clock, secrets, { room: ROOM, purpose: SEAL });
  }
}

/** The questions as operators find them by those who asked and those who answered. */
export const approvalRoom: SealedRoom<ApprovalRecord> = {
  kind: 'approvals',
  rooms: [ROOM],
  seal: SEAL,
  people: ({ caller, by }) => [caller, by],
  show: ({ status, operation, message, shown, caller, client, expires, by }) => ({
    status,
    operation,
    message,
    shown,
    caller,
    expires,
    ...(client !== undefined && { client }),
    ...(by && { by }),
  }),
};

export function isSame(one: Person, other: Person): boolean {
  return one.subject === other.subject && (one.issuer ?? '') === (other.issuer ?? '');
}

/** False only if they are certainly two people: without an issuer, nobody knows whose subject it is. */
export function mayBeSame(one: Person, other: Person): boolean {
  const isKnown = one.issuer !== undefined && other.issuer !== undefined;
  return one.subject === other.subject && (!isKnown || one.issuer === other.issuer);
}
