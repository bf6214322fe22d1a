import type { Clock } from '@toolwright/core/ports';
import { growingPause } from '@toolwright/json';
import {
  type Command,
  type LinkEvents,
  type NodeRedisCluster,
  type RedisLink,
  AS_USUAL,
} from './redis-link.js';

/** The connections of node-redis to the nodes of a cluster. */
export class ClusterLink implements RedisLink {
  #isClosed = false;
  #isSubscriber = false;
  /** Until then, one of the given addresses may fail and another one may serve. */
  #hasConnected: boolean;
  #stopListening = () => {};

  /** @param isOwn false for a cluster of the application: it is neither connected nor closed here */
  constructor(
    private readonly cluster: NodeRedisCluster,
    private readonly isOwn: boolean,
    private readonly clock: Clock,
  ) {
    this.#hasConnected = !isOwn;
  }

  /** A cluster of which single nodes are away is ready. Commands for such a node fail. */
  get isReady(): boolean {
    const { isReady, pubSubNode, masters } = this.cluster;
    if (this.#isClosed || !isReady) return false;
    if (this.#isSubscriber) return pubSubNode?.client.isReady ?? false;
    // A node without a client is connected with the first command for it.
    return masters.some(({ client }) => !client || client.isReady);
  }

  connect(events: LinkEvents): void {
    const found = () => this.isReady && events.ready();
    const failed = (error: unknown) => this.#hasConnected && !this.isReady && events.lost(error);
    const listeners = { connect: found, 'node-ready': found, 'node-error': failed, error: failed };
    for (const [event, listener] of Object.entries(listeners)) this.cluster.on(event, listener);
    this.#stopListening = () => {
      for (const [event, listener] of Object.entries(listeners)) this.cluster.off(event, listener);
    };
    if (this.isOwn) this.#keepTrying(0, events);
    else if (this.isReady) events.ready();
    else events.lost(new Error('The cluster client of the application is not connected.'));
  }

  send(command: Command, key: string): Promise<unknown> {
    return this.cluster.sendCommand(key, false, [...command], AS_USUAL);
  }

  /** One node that answers is enough. `PING` through the cluster would ask all of them. */
  async ping(): Promise<unknown> {
    const { pubSubNode, masters } = this.cluster;
    const node = this.#isSubscriber ? pubSubNode : masters.find(({ client }) => client?.isReady);
    if (!node?.client) throw new Error('No node of the cluster is connected.');
    return node.client.sendCommand(['PING'], AS_USUAL);
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
      () => {
        this.#hasConnected = true;
        if (this.#isClosed) this.cluster.destroy();
        else if (this.isReady) events.ready();
      },
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

/**
 * How long to wait before the next attempt to connect. It doubles with each attempt, up to 2 s. Up to half of
 * it is random, so that the processes of a fleet do not all come back at the same moment.
 */
export const reconnectDelay = (attempts: number): number =>
  growingPause(attempts, { firstMs: 50, longestMs: 2_000 }, Math.random());
