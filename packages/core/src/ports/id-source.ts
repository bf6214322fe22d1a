import { randomBytes, randomFillSync } from 'node:crypto';

/** Where ids come from. Tests bring one that counts. */
export interface IdSource {
  /** UUIDv7 (RFC 9562) for the given time in milliseconds since the epoch: sorts by time. */
  uuid(time: number): string;
  /** Short random id that people can read to each other, to find a log line by. */
  reference(): string;
}

/** Ids whose random part is made at a time: one by one that costs more than all the rest of a buffered audit record. */
const BATCH = 64;
/** Random digits that are drawn for an id; 19 are used. */
const DIGITS = 20;

const pool = Buffer.allocUnsafe((BATCH * DIGITS) / 2);
const tails: string[] = [];
let stamp = { time: -1, text: '' };

/** Ids from the machine's cryptographic random source. */
export const randomIds: IdSource = {
  uuid(time) {
    if (tails.length === 0) drawTails();
    // Many ids are made within a millisecond.
    if (stamp.time !== time) stamp = { time, text: stampOf(time) };
    return stamp.text + tails.pop()!;
  },
  reference: () => randomBytes(5).toString('hex'),
};

function stampOf(time: number): string {
  const digits = Math.floor(time).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

/** What follows the time: `-7xxx-yxxx-xxxxxxxxxxxx`, where y carries the two bits of the variant. */
function drawTails(): void {
  const digits = randomFillSync(pool).toString('hex');
  for (let at = 0; at < digits.length; at += DIGITS) {
    const variant = '89ab'[Number.parseInt(digits[at]!, 16) % 4]!;
    const [first, second, last] = [
      digits.slice(at + 1, at + 4),
      digits.slice(at + 4, at + 7),
      digits.slice(at + 7, at + 19),
    ];
    tails.push(`-7${first}-${variant}${second}-${last}`);
  }
}
