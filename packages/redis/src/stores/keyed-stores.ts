import type { ClaimStore, ResultCache, SessionRecord, SessionRecords } from '@toolwright/core/ports';
import type { RedisConnection } from '../connection/connection.js';
import { type Keys, lifetime } from '../keys.js';
import { Script } from './script.js';

/** A claim is a key that expires. Redis sets it only when nobody has. */
export class RedisClaimStore implements ClaimStore {
  constructor(
    private readonly connection: RedisConnection,
    private readonly keys: Keys,
  ) {}

  async claim(key: string, ttlMs: number): Promise<boolean> {
    const name = this.keys.claim(key);
    return (await this.connection.send(['SET', name, '1', 'NX', 'PX', lifetime(ttlMs)], name)) !== null;
  }

  async release(key: string): Promise<boolean> {
    const name = this.keys.claim(key);
    return (await this.connection.send(['DEL', name], name)) === 1;
  }

  async has(key: string): Promise<boolean> {
    const name = this.keys.claim(key);
    return (await this.connection.send(['EXISTS', name], name)) === 1;
  }
}

/**
 * Keeps results as JSON under keys that expire. A result that is too large is not kept. While Redis is away,
 * every result is unknown.
 */
export class RedisResultCache implements ResultCache {
  constructor(
    private readonly connection: RedisConnection,
    private readonly keys: Keys,
    private readonly maxBytes: number,
  ) {}

  async get(key: string): Promise<unknown> {
    const name = this.keys.cached(key);
    try {
      const text = await this.connection.send(['GET', name], name);
      return text === null ? undefined : JSON.parse(text as string);
    } catch {
      // The call runs again: a cache may forget.
      return undefined;
    }
  }

  async set(key: string, value: unknown, ttlMs: number): Promise<void> {
    const text = JSON.stringify(value);
    if (text === undefined || Buffer.byteLength(text) > this.maxBytes) return;
    const name = this.keys.cached(key);
    try {
      await this.connection.send(['SET', name, text, 'PX', lifetime(ttlMs)], name);
    } catch {
      // The health of the store tells about it. The result itself is whole.
    }
  }
}

/** A record that somebody else has written, and that is not JSON, counts as none: Redis is not away because of it. */
function readRecord(text: unknown): SessionRecord | undefined {
  try {
    return JSON.parse(String(text)) as SessionRecord;
  } catch {
    return undefined;
  }
}

/** The index of an owner has the keys of its sessions, and until when each is kept. */
const indexSession = new Script(`
local time = redis.call('TIME')
local ms = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ms)
redis.call('ZADD', KEYS[1], ms + tonumber(ARGV[2]), ARGV[1])
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')[2]
redis.call('PEXPIREAT', KEYS[1], last)
`);

/** How many records are asked for at the same time. A tenant may have very many. */
const AT_A_TIME = 200;

/** A record is JSON under a key that expires. */
export class RedisSessionRecords implements SessionRecords {
  constructor(
    private readonly connection: RedisConnection,
    private readonly keys: Keys,
  ) {}

  async get(key: string): Promise<SessionRecord | undefined> {
    const name = this.keys.session(key);
    const text = await this.connection.send(['GET', name], name);
    return text === null ? undefined : readRecord(text);
  }

  async set(key: string, record: SessionRecord, ttlMs: number): Promise<void> {
    const name = this.keys.session(key);
    // The index is first: a record that is not in it would not be found by those who must erase it.
    for (const owner of [record.owner, record.tenant])
      if (owner !== undefined)
        await indexSession.run(this.connection, [this.keys.sessionsOf(owner)], [key, lifetime(ttlMs)]);
    await this.connection.send(['SET', name, JSON.stringify(record), 'PX', lifetime(ttlMs)], name);
  }

  async delete(key: string): Promise<void> {
    const name = this.keys.session(key);
    await this.connection.send(['DEL', name], name);
  }

  /** Records that have ended or were deleted leave their keys in the index for a while. They are left out. */
  async ofOwner(owner: string): Promise<string[]> {
    const index = this.keys.sessionsOf(owner);
    const keys = ((await this.connection.send(['ZRANGE', index, '0', '-1'], index)) as unknown[]).map(String);
    const found: string[] = [];
    for (let from = 0; from < keys.length; from += AT_A_TIME) {
      const some = keys.slice(from, from + AT_A_TIME);
      const records = await Promise.all(some.map((key) => this.get(key)));
      found.push(...some.filter((_, at) => [records[at]?.owner, records[at]?.tenant].includes(owner)));
    }
    return found;
  }
}
