import { systemClock, type Logger } from '@toolwright/core';
import { redisStores, type RedisStoresOptions } from '@toolwright/redis';

interface Line {
  readonly level: keyof Logger;
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

/** Keeps what was logged. */
export class LogLines implements Logger {
  readonly lines: Line[] = [];
  readonly debug = this.#level('debug');
  readonly info = this.#level('info');
  readonly warn = this.#level('warn');
  readonly error = this.#level('error');

  get messages(): string[] {
    return this.lines.map(({ message }) => message);
  }

  #level(level: keyof Logger) {
    return (fields: Record<string, unknown>, message: string) =>
      void this.lines.push({ level, fields, message });
  }
}

/** Stores that are open, as a server has them, with what they log. */
export async function openStores(options: RedisStoresOptions) {
  const stores = redisStores(options);
  const log = new LogLines();
  await stores.open({ clock: systemClock, logger: log });
  return Object.assign(stores, { log });
}

export type OpenStores = Awaited<ReturnType<typeof openStores>>;
