import type { SubjectSource } from '@toolwright/core/ports';
import { approvalRoom } from '../approval/approval-records.js';
import { delegationRoom } from '../approval/delegations.js';
import { grantRoom } from '../grants/grant-records.js';
import { grantRequestRoom } from '../grants/grant-requests.js';
import { apiKeyRoom } from '../keys/api-key-records.js';
import { proxyRoom } from '../proxy/provider-records.js';
import { recordsOfRoom, type SealedRoom } from '../subjects/sealed-room.js';

type AnyRoom = SealedRoom<unknown>;

/**
 * Every kind of record of this package that is about people. A new kind adds its line here, and is then exported and
 * erased with the others.
 */
const roomsOf = (proxy: string | undefined): readonly AnyRoom[] => [
  apiKeyRoom as AnyRoom,
  approvalRoom as AnyRoom,
  delegationRoom as AnyRoom,
  grantRoom as AnyRoom,
  grantRequestRoom as AnyRoom,
  ...(proxy === undefined ? [] : [proxyRoom(proxy) as AnyRoom]),
];

const unsearchedOf = (proxy: string | undefined) => [
  ...(proxy === undefined ? ['sign-ins at an authorization proxy: --proxy does not name one'] : []),
  'tokens that were exchanged for other resources: they have digests for names, and end before the token does',
];

/** What this package keeps about a subject. */
export const subjectSource: SubjectSource = {
  open: ({ stores, secrets, proxy }) => ({
    unsearched: unsearchedOf(proxy),
    records: stores.flatMap(({ records }) => {
      if (!records) return [];
      return roomsOf(proxy).map((room) => recordsOfRoom(room, records, secrets));
    }),
  }),
};
