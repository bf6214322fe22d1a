import {
  type Command,
  type LinkEvents,
  type NodeRedisClient,
  type RedisLink,
  AS_USUAL,
} from './redis-link.js';

/** One connection of node-redis to one server. */
export class SingleLink implements RedisLink {
  #isClosed = false;
  #stopListening = () => {};
  #events: LinkEvents | undefined;
  readonly #subscriptions = new Map<string, (message: string) => void>();

  /** @param make makes a client of our own; one of the application is neither connected nor closed here */
  constructor(
    private client: NodeRedisClient,
    private readonly make?: () => NodeRedisClient,
  ) {}

  static own(make: () => NodeRedisClient): SingleLink {
    return new SingleLink(make(), make);
  }

  get isReady(): boolean {
    return !this.#isClosed && this.client.isReady;
  }

  connect(events: LinkEvents): void {
    const { client } = this;
    this.#events = events;
    let reason: unknown = new Error('The connection was closed.');
    const listeners = {
      ready: () => {
        // A connection attempt that was under way when the link was closed may still succeed.
        if (this.#isClosed) client.destroy();
        else void this.#subscribeAgain(client).then(() => events.ready(), events.lost);
      },
      reconnecting: () => events.lost(reason),
      end: () => events.lost(reason),
      error: (error: unknown) => {
        reason = error;
        if (!client.isReady) events.lost(error);
      },
    };
    for (const [event, listener] of Object.entries(listeners)) client.on(event, listener);
    this.#stopListening = () => {
      for (const [event, listener] of Object.entries(listeners)) client.off(event, listener);
    };
    if (this.make) client.connect().catch((error: unknown) => events.lost(error));
    else if (client.isReady) events.ready();
    else events.lost(new Error('The client of the application is not connected.'));
  }

  send(command: Command): Promise<unknown> {
    return this.client.sendCommand(command, AS_USUAL);
  }

  ping(): Promise<unknown> {
    return this.send(['PING']);
  }

  async subscribe(channel: string, listener: (message: string) => void): Promise<void> {
    await this.client.subscribe(channel, listener);
    this.#subscriptions.set(channel, listener);
  }

  renew(): void {
    if (!this.make || this.#isClosed) return;
    this.#stopListening();
    this.client.on('error', () => {});
    this.client.destroy();
    this.client = this.make();
    this.connect(this.#events!);
  }

  /** After a reconnect, node-redis has done it by itself. A new client knows nothing of it. */
  async #subscribeAgain(client: NodeRedisClient): Promise<void> {
    for (const [channel, listener] of this.#subscriptions) await client.subscribe(channel, listener);
  }

  async close(): Promise<void> {
    if (!this.#leave()) return;
    await this.client.close();
  }

  destroy(): void {
    this.#leave();
    if (this.make) this.client.destroy();
  }

  /** True when there is a client to close. */
  #leave(): boolean {
    this.#isClosed = true;
    if (!this.make) this.#stopListening();
    return this.make !== undefined && this.client.isOpen;
  }
}
