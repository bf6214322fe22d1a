import type { ClaimStore } from '@toolwright/core';
import type { Connection } from '../connection/connection.js';
import type { Keys } from '../keys.js';
import { lifetime } from './lifetime.js';

/** A claim is a key that expires. Redis sets it only when nobody has. */
export class RedisClaimStore implements ClaimStore {
  constructor(
    private readonly connection: Connection,
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
