import type { Command } from './redis-link.js';

/** What is used of a client of node-redis. Its own types differ with the extensions that a client has. */
export interface NodeRedisClient extends Events {
  sendCommand(command: Command, options: typeof WITHOUT_TIMEOUT): Promise<unknown>;
}

/** What is used of a cluster of node-redis. */
export interface NodeRedisCluster extends Events {
  readonly masters: readonly { client?: NodeRedisClient | undefined }[];
  readonly pubSubNode: { client: NodeRedisClient } | undefined;
  sendCommand(
    key: string,
    isReadonly: boolean,
    command: string[],
    options: typeof WITHOUT_TIMEOUT,
  ): Promise<unknown>;
}

interface Events {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  on(event: string, listener: (error: unknown) => void): unknown;
  off(event: string, listener: (error: unknown) => void): unknown;
  connect(): Promise<unknown>;
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  close(): Promise<unknown>;
  destroy(): void;
}

/** Of its own accord, node-redis starts a timer for each command. `Connection` has one for all of them. */
export const WITHOUT_TIMEOUT = { timeout: undefined };
