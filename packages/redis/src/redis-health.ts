import type { StoreHealth, StorePorts } from '@toolwright/core';
import { REFUSES_WRITES } from './connection/connection.js';

const NAME = 'redis';

/** Knows since when Redis answers or is away, and logs each change once. */
export class RedisHealth {
  #isUp: boolean | undefined;
  #since: number;
  #refused = false;

  constructor(private readonly ports: StorePorts) {
    this.#since = ports.clock.now();
  }

  get now(): StoreHealth {
    return { store: NAME, up: this.#isUp ?? false, since: this.#since };
  }

  /** @param reason why Redis is away; only its message is logged */
  settle(isUp: boolean, reason: unknown): void {
    const before = this.#isUp;
    if (isUp === before) return;
    const { clock, logger } = this.ports;
    const awayMs = clock.now() - this.#since;
    this.#isUp = isUp;
    this.#since = clock.now();
    const refuses = REFUSES_WRITES.test(messageOf(reason));
    const problem = refuses ? 'Redis refuses writes' : 'Redis does not answer';
    if (!isUp) logger.error({ store: NAME, reason: messageOf(reason) }, problem);
    else if (before === false)
      logger.info(
        { store: NAME, awayMs },
        this.#refused ? 'Redis takes writes again' : 'Redis answers again',
      );
    this.#refused = !isUp && refuses;
  }
}

function messageOf(reason: unknown): string {
  if (reason instanceof AggregateError) return reason.errors.map(messageOf).join('; ');
  return reason instanceof Error ? reason.message : String(reason);
}
