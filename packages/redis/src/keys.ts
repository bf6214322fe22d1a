import { hash } from 'node:crypto';

/**
 * The names of everything that the stores keep in Redis. What callers or clients can choose is a digest in
 * them: it has a fixed length, and nobody reads the names of users in the key space.
 *
 * In a cluster, the part in braces decides which node has a key. Keys that one script touches share it.
 */
export class Keys {
  readonly bus: string;
  /** Is written to see whether Redis takes writes. */
  readonly health: string;

  constructor(private readonly prefix: string) {
    this.bus = `${prefix}bus`;
    this.health = `${prefix}health`;
  }

  /** The window of a caller under a rule. */
  limit(rule: string, key: string): string {
    return `${this.prefix}limit:${rule}:${digest(key)}`;
  }

  /** One script takes several leases, and a cluster runs a script on the keys of one node. So they share a hash tag. */
  lease(key: string): string {
    return `${this.prefix}{lease}:${digest(key)}`;
  }

  claim(key: string): string {
    return `${this.prefix}claim:${digest(key)}`;
  }

  /** The events of a session, how many bytes they have together, and the last one of each stream that was removed. */
  events(session: string): [events: string, bytes: string, removed: string] {
    const events = `${this.prefix}events:{${digest(session)}}`;
    return [events, `${events}:bytes`, `${events}:removed`];
  }

  session(key: string): string {
    return `${this.prefix}session:${digest(key)}`;
  }

  /** The sessions of a subject. */
  sessionsOf(owner: string): string {
    return `${this.prefix}sessions-of:${digest(owner)}`;
  }

  /** A record, and the index of its room. */
  record(room: string, id: string): [record: string, index: string] {
    const index = `${this.prefix}records:{${room}}`;
    return [`${index}:${digest(id)}`, index];
  }

  cached(key: string): string {
    return `${this.prefix}cache:${digest(key)}`;
  }
}

/** 132 bits of SHA-256. */
function digest(key: string): string {
  return hash('sha256', key, 'base64url').slice(0, 22);
}

/** One hundred years. Redis refuses times that it cannot add to its clock. */
const LONGEST_MS = 3_155_760_000_000;

/** Redis takes whole milliseconds from 1 on. */
export function lifetime(ms: number): string {
  return String(Math.min(LONGEST_MS, Math.max(1, Math.ceil(ms))));
}
