import {
  type Command,
  type LinkEvents,
  type NodeRedisClient,
  type RedisLink,
  WITHOUT_TIMEOUT,
} from './redis-link.js';

/** One connection of node-redis to one server. */
export class SingleLink implements RedisLink {
  #isClosed = false;
  #stopListening = () => {};

  /** @param isOwn false for a client of the application: it is neither connected nor closed here */
  constructor(
    private readonly client: NodeRedisClient,
    private readonly isOwn: boolean,
  ) {}

  get isReady(): boolean {
    return !this.#isClosed && this.client.isReady;
  }

  connect(events: LinkEvents): void {
    const { client } = this;
    let reason: unknown = new Error('The connection was closed.');
    const listeners = {
      ready: () => {
        // A connection attempt that was under way when the link was closed may still succeed.
        if (this.#isClosed) client.destroy();
        else events.ready();
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
    if (this.isOwn) client.connect().catch((error: unknown) => events.lost(error));
    else if (client.isReady) events.ready();
    else events.lost(new Error('The client of the application is not connected.'));
  }

  send(command: Command): Promise<unknown> {
    return this.client.sendCommand(command, WITHOUT_TIMEOUT);
  }

  ping(): Promise<unknown> {
    return this.send(['PING']);
  }

  async subscribe(channel: string, listener: (message: string) => void): Promise<void> {
    await this.client.subscribe(channel, listener);
  }

  async close(): Promise<void> {
    if (!this.#leave()) return;
    await this.client.close();
  }

  destroy(): void {
    this.#leave();
    if (this.isOwn) this.client.destroy();
  }

  /** True when there is a client to close. */
  #leave(): boolean {
    this.#isClosed = true;
    if (!this.isOwn) this.#stopListening();
    return this.isOwn && this.client.isOpen;
  }
}
