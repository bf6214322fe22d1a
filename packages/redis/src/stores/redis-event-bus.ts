import {
  type EventBus,
  type Logger,
  MemoryEventBus,
  type ServerEvent,
  isServerEvent,
} from '@toolwright/core/ports';
import { randomUUID } from 'node:crypto';
import type { RedisConnection } from '../connection/connection.js';
import type { Keys } from '../keys.js';

/**
 * Carries events over one channel of Redis. Listeners of this process get its events at once, whether Redis
 * answers or not. What comes back of them from Redis is ignored.
 */
export class RedisEventBus implements EventBus {
  readonly #process = randomUUID();
  readonly #local = new MemoryEventBus();
  #logger: Logger | undefined;
  #hasUnsent = false;
  #hasComplained = false;

  constructor(
    private readonly connection: RedisConnection,
    private readonly keys: Keys,
  ) {}

  publish(event: ServerEvent): void {
    this.#send(event);
    this.#local.publish(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    return this.#local.subscribe(listener);
  }

  /** Begins to hear the other processes. */
  listen(subscriber: RedisConnection, logger: Logger): Promise<void> {
    this.#logger = logger;
    return subscriber.subscribe(this.keys.bus, (message) => this.#receive(message));
  }

  /** The others may have published while this process could not hear them. */
  tellMissed(): void {
    this.#deliver({ type: 'eventsMissed' });
  }

  /** While Redis was away, the others have not heard this process. */
  tellUnsent(): void {
    if (!this.#hasUnsent) return;
    this.#hasUnsent = false;
    this.#send({ type: 'eventsMissed' });
  }

  #send(event: ServerEvent): void {
    const message: BusMessage = { from: this.#process, event };
    const { bus } = this.keys;
    this.connection
      .send(['PUBLISH', bus, JSON.stringify(message)], bus)
      .catch(() => void (this.#hasUnsent = true));
  }

  #receive(text: string): void {
    const message = readBusMessage(text);
    if (!message) return this.#complain();
    if (message.from !== this.#process) this.#deliver(message.event);
  }

  /** Nobody waits for an event of another process, so its errors go to the log. */
  #deliver(event: ServerEvent): void {
    try {
      this.#local.publish(event);
    } catch (error) {
      this.#logger?.error({ err: error }, 'A listener of the event bus failed');
    }
  }

  /** A line per message would let anybody who can publish flood the log. */
  #complain(): void {
    if (this.#hasComplained) return;
    this.#hasComplained = true;
    this.#logger?.warn(
      { channel: this.keys.bus },
      'A message on the channel of the event bus is not from this version of Toolwright. It and others like it are ignored',
    );
  }
}

/** An event on its way, and the process that has published it. */
interface BusMessage {
  readonly from: string;
  readonly event: ServerEvent;
}

/** `undefined` for what no process of this version has published. Others may write to the same channel. */
function readBusMessage(message: string): BusMessage | undefined {
  const { from, event } = (parse(message) ?? {}) as { from?: unknown; event?: unknown };
  return typeof from === 'string' && isServerEvent(event) ? { from, event } : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
