import { randomBytes, randomFillSync } from 'node:crypto';

/** Where ids come from. Tests bring one that counts. */
export interface IdSource {
  /** UUIDv7 (RFC 9562) for the given time in milliseconds since the epoch: sorts by time. */
  uuid(time: number): string;
  /** Short random id that people can read to each other, to find a log line by. */
  reference(): string;
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
// One system call per 256 ids: drawing 10 bytes at a time costs more than all the rest of a buffered audit record.
const pool = Buffer.allocUnsafe(2560);
let used = pool.length;

/** Ids from the machine's cryptographic random source. */
export const randomIds: IdSource = {
  uuid(time) {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const at = used;
    used += 10;
    const byte = (index: number) => hex[pool[at + index]!]!;
    const stamp = Math.floor(time).toString(16).padStart(12, '0');
    const version = `7${byte(0)[0]!}${byte(1)}`;
    const variant = `${'89ab'[pool[at + 2]! & 3]!}${byte(2)[1]!}${byte(3)}`;
    const rest = `${byte(4)}${byte(5)}${byte(6)}${byte(7)}${byte(8)}${byte(9)}`;
    return `${stamp.slice(0, 8)}-${stamp.slice(8)}-${version}-${variant}-${rest}`;
  },
  reference: () => randomBytes(5).toString('hex'),
};
