import type { Clock } from '@toolwright/core';
import { WITHOUT_TIMEOUT, type NodeRedisCluster } from './node-redis.js';
import { reconnectDelay } from './reconnect-delay.js';
import type { Command, LinkEvents, RedisLink } from './redis-link.js';

/** The connections of node-redis to the nodes of a cluster. */
export class ClusterLink implements RedisLink {
  #isClosed = false;
  #isSubscriber = false;
  #stopListening = () => {};

  /** @param isOwn false for a cluster of the application: it is neither connected nor closed here */
  constructor(
    private readonly cluster: NodeRedisCluster,
    private readonly isOwn: boolean,
    private readonly clock: Clock,
  ) {}

  /** A cluster of which single nodes are away is ready. Commands for such a node fail. */
  get isReady(): boolean {
    if (this.#isClosed || !this.cluster.isReady) return false;
    return !this.#isSubscriber || (this.cluster.pubSubNode?.client.isReady ?? false);
  }

  connect(events: LinkEvents): void {
    const settle = (reason: unknown) => (this.isReady ? events.ready() : events.lost(reason));
    const listeners = {
      connect: () => settle(undefined),
      'node-ready': () => settle(undefined),
      'node-error': (error: unknown) => !this.isReady && events.lost(error),
      error: (error: unknown) => !this.isReady && events.lost(error),
    };
    for (const [event, listener] of Object.entries(listeners)) this.cluster.on(event, listener);
    this.#stopListening = () => {
      for (const [event, listener] of Object.entries(listeners)) this.cluster.off(event, listener);
    };
    if (this.isOwn) this.#keepTrying(0, events);
    else settle(new Error('The cluster client of the application is not connected.'));
  }

  send(command: Command, key: string): Promise<unknown> {
    return this.cluster.sendCommand(key, false, [...command], WITHOUT_TIMEOUT);
  }

  /** One node that answers is enough. `PING` through the cluster would ask all of them. */
  async ping(): Promise<unknown> {
    const { pubSubNode, masters } = this.cluster;
    const node = this.#isSubscriber ? pubSubNode : masters.find(({ client }) => client?.isReady);
    if (!node?.client) throw new Error('No node of the cluster is connected.');
    return node.client.sendCommand(['PING'], WITHOUT_TIMEOUT);
  }

  async subscribe(channel: string, listener: (message: string) => void): Promise<void> {
    await this.cluster.subscribe(channel, listener);
    this.#isSubscriber = true;
  }

  async close(): Promise<void> {
    if (!this.#leave()) return;
    await this.cluster.close();
  }

  destroy(): void {
    this.#leave();
    if (this.isOwn) this.cluster.destroy();
  }

  #leave(): boolean {
    this.#isClosed = true;
    if (!this.isOwn) this.#stopListening();
    return this.isOwn && this.cluster.isOpen;
  }

  /** The first contact with a cluster is tried once by node-redis. After it, each node reconnects by itself. */
  #keepTrying(attempts: number, events: LinkEvents): void {
    this.cluster.connect().then(
      () => this.#isClosed && this.cluster.destroy(),
      (error: unknown) => {
        if (this.#isClosed) return;
        events.lost(error);
        this.clock.after(reconnectDelay(attempts), () => {
          if (!this.#isClosed) this.#keepTrying(attempts + 1, events);
        });
      },
    );
  }
}
