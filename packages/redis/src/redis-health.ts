import type { StoreHealth, StorePorts } from '@toolwright/core';

const NAME = 'redis';

/** Knows since when Redis answers or is away, and logs each change once. */
export class RedisHealth {
  #isUp: boolean | undefined;
  #since: number;

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
    if (!isUp) logger.error({ store: NAME, reason: messageOf(reason) }, 'Redis does not answer');
    else if (before === false) logger.info({ store: NAME, awayMs }, 'Redis answers again');
  }
}

function messageOf(reason: unknown): string {
  if (reason instanceof AggregateError) return reason.errors.map(messageOf).join('; ');
  return reason instanceof Error ? reason.message : String(reason);
}
