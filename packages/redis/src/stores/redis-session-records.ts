import type { SessionRecord, SessionRecords } from '@toolwright/core';
import type { Connection } from '../connection/connection.js';
import type { Keys } from '../keys.js';
import { lifetime } from './lifetime.js';

/** A record that somebody else has written, and that is no JSON, counts as none: Redis is not away because of it. */
function readRecord(text: unknown): SessionRecord | undefined {
  try {
    return JSON.parse(String(text)) as SessionRecord;
  } catch {
    return undefined;
  }
}

/** A record is JSON under a key that expires. */
export class RedisSessionRecords implements SessionRecords {
  constructor(
    private readonly connection: Connection,
    private readonly keys: Keys,
  ) {}

  async get(key: string): Promise<SessionRecord | undefined> {
    const name = this.keys.session(key);
    const text = await this.connection.send(['GET', name], name);
    return text === null ? undefined : readRecord(text);
  }

  async set(key: string, record: SessionRecord, ttlMs: number): Promise<void> {
    const name = this.keys.session(key);
    await this.connection.send(['SET', name, JSON.stringify(record), 'PX', lifetime(ttlMs)], name);
  }

  async delete(key: string): Promise<void> {
    const name = this.keys.session(key);
    await this.connection.send(['DEL', name], name);
  }
}
