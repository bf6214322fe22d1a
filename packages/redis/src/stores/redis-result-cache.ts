import type { ResultCache } from '@toolwright/core';
import type { Connection } from '../connection/connection.js';
import type { Keys } from '../keys.js';
import { lifetime } from './lifetime.js';

/**
 * Keeps results as JSON under keys that expire. A result that is too large is not kept. While Redis is away,
 * every result is unknown.
 */
export class RedisResultCache implements ResultCache {
  constructor(
    private readonly connection: Connection,
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
