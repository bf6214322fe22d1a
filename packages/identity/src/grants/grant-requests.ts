import type { Clock, RecordStore } from '@toolwright/core/ports';
import { QuestionRecords } from '../pages/question-records.js';
import type { SealedRoom } from '../subjects/sealed-room.js';
import type { GrantHolder } from './grant-holder.js';

/** A question whether a person connects a resource. */
export interface GrantRequest {
  /**
   * - `open`: nobody has decided
   * - `granted`: the person has granted something at the issuer; the grant says what
   * - `refused`: the person said no, here or at the issuer
   * - `withdrawn`: the client or its person ended the question
   */
  readonly status: 'open' | 'granted' | 'refused' | 'withdrawn';
  readonly holder: GrantHolder;
  readonly resource: string;
  readonly scopes: readonly string[];
  /** What the client calls itself. Nobody has checked it. */
  readonly client?: string;
  readonly expires: number;
}

const ROOM = 'grant-requests';
const SEAL = 'grant request';

/** The questions of all processes. */
export class GrantRequests extends QuestionRecords<GrantRequest> {
  constructor(store: RecordStore, clock: Clock, secrets: readonly string[]) {
    super(store, clock, secrets, { room: ROOM, purpose: SEAL });
  }
}

/** The questions as operators find them by whom they ask. */
export const grantRequestRoom: SealedRoom<GrantRequest> = {
  kind: 'grant requests',
  rooms: [ROOM],
  seal: SEAL,
  people: ({ holder }) => [holder],
  show: (request) => ({ ...request }),
};
