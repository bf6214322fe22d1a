/** What a link tells its owner. */
export interface LinkEvents {
  /** The link can be used, for the first time or again. Its subscription is in place again. */
  ready(): void;
  /** The link cannot be used. It tries to connect again by itself. */
  lost(reason: unknown): void;
}

/** A command with its arguments, as Redis gets it. */
export type Command = readonly string[];

/** A way to Redis: one connection, or the connections to the nodes of a cluster. */
export interface RedisLink {
  readonly isReady: boolean;
  /** Begins to connect, and never gives up. */
  connect(events: LinkEvents): void;
  /** Sends a command to the node that has `key`. Commands for one key arrive in the order they were sent. */
  send(command: Command, key: string): Promise<unknown>;
  /** Asks for an answer and changes nothing. */
  ping(): Promise<unknown>;
  /** The subscription is made again after each reconnect. */
  subscribe(channel: string, listener: (message: string) => void): Promise<void>;
  /** Leaves a dead connection for a new one. A cluster, and a client of the application, do that by themselves. */
  renew?(): void;
  /** Waits for the answers that are due. */
  close(): Promise<void>;
  /** Ends the link without waiting. */
  destroy(): void;
}

/** What is used of a client of node-redis. Its own types differ with the extensions that a client has. */
export interface NodeRedisClient extends Events {
  sendCommand(command: Command, options: typeof AS_USUAL): Promise<unknown>;
}

/** What is used of a cluster of node-redis. */
export interface NodeRedisCluster extends Events {
  readonly masters: readonly { client?: NodeRedisClient | undefined }[];
  readonly pubSubNode: { client: NodeRedisClient } | undefined;
  sendCommand(
    key: string,
    isReadonly: boolean,
    command: string[],
    options: typeof AS_USUAL,
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

/**
 * How all commands are sent. Of its own accord, node-redis starts a timer for each command; `Connection` has one for all of them. A
 * client of the application may turn the types of answers into others, such as numbers into texts; the stores read the usual ones.
 */
export const AS_USUAL = { timeout: undefined, typeMapping: {} };

/** Redis does not answer at the moment, so nothing was asked or nothing was answered. */
export class AwayError extends Error {
  override readonly name = 'AwayError';
}
