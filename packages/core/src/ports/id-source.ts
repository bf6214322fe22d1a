import { randomBytes, randomFillSync } from 'node:crypto';

/** Where ids come from. Tests bring one that counts. */
export interface IdSource {
  /** UUIDv7 (RFC 9562) for the given time in milliseconds since the epoch: sorts by time. */
  uuid(time: number): string;
  /** Short random id that people can read to each other, to find a log line by. */
  reference(): string;
}

/** Ids whose random part is made at a time: one by one that costs more than all the rest of a buffered audit record. */
const BATCH = 512;
/** Random digits that are drawn for an id; 19 are used. */
const DIGITS = 20;

const pool = Buffer.allocUnsafe((BATCH * DIGITS) / 2);
let digits = '';
/** Where those begin that no id has. */
let unused = 0;
let stamp = { time: -1, text: '' };

/** Ids from the machine's cryptographic random source. */
export const randomIds: IdSource = {
  uuid(time) {
    // Many ids are made within a millisecond.
    if (stamp.time !== time) stamp = { time, text: stampOf(time) };
    return stamp.text + drawTail();
  },
  reference: () => randomBytes(5).toString('hex'),
};

function stampOf(time: number): string {
  const hex = Math.floor(time).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** What follows the time: `-7xxx-yxxx-xxxxxxxxxxxx`, where y carries the two bits of the variant. */
function drawTail(): string {
  if (unused === digits.length) {
    digits = randomFillSync(pool).toString('hex');
    unused = 0;
  }
  const at = unused;
  unused += DIGITS;
  const variant = '89ab'[Number.parseInt(digits[at]!, 16) % 4]!;
  return `-7${digits.slice(at + 1, at + 4)}-${variant}${digits.slice(at + 4, at + 7)}-${digits.slice(at + 7, at + 19)}`;
}
