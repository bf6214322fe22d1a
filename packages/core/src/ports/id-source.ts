import { randomBytes, randomFillSync } from 'node:crypto';

/** Where ids come from. Tests bring one that counts. */
export interface IdSource {
  /** UUIDv7 (RFC 9562) for the given time in milliseconds since the epoch: sorts by time. */
  uuid(time: number): string;
  /** Short random id that people can read to each other, to find a log line by. */
  reference(): string;
}

// Drawn and written as hex for 256 ids at a time: one by one that costs more than all the rest of a buffered audit record.
const pool = Buffer.allocUnsafe(2560);
let digits = '';
let used = 0;

/** Ids from the machine's cryptographic random source. */
export const randomIds: IdSource = {
  uuid(time) {
    if (used === digits.length) {
      digits = randomFillSync(pool).toString('hex');
      used = 0;
    }
    const at = used;
    used += 20;
    const stamp = Math.floor(time).toString(16).padStart(12, '0');
    const variant = '89ab89ab89ab89ab'[parseInt(digits[at]!, 16)]!;
    const random = (from: number, to: number) => digits.slice(at + from, at + to);
    return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${random(1, 4)}-${variant}${random(4, 7)}-${random(7, 19)}`;
  },
  reference: () => randomBytes(5).toString('hex'),
};
