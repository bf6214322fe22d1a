import { hash } from 'node:crypto';
import type { RedisConnection } from '../connection/connection.js';

/** A Lua script. Redis runs it as one step: nothing else happens in between. */
export class Script {
  readonly #sha: string;

  constructor(private readonly text: string) {
    this.#sha = hash('sha1', text, 'hex');
  }

  /** Redis forgets scripts when it is restarted. It then gets the text again. */
  async run(
    connection: RedisConnection,
    keys: readonly [string, ...string[]],
    args: readonly string[],
  ): Promise<unknown> {
    try {
      return await connection.send(['EVALSHA', this.#sha, String(keys.length), ...keys, ...args], keys[0]);
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return this.runInOrder(connection, keys, args);
    }
  }

  /** Sends the text each time. A script that has to be sent again would be overtaken by later ones. */
  runInOrder(
    connection: RedisConnection,
    keys: readonly [string, ...string[]],
    args: readonly string[],
  ): Promise<unknown> {
    return connection.send(['EVAL', this.text, String(keys.length), ...keys, ...args], keys[0]);
  }
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}
