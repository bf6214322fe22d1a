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
  /** Waits for the answers that are due. */
  close(): Promise<void>;
  /** Ends the link without waiting. */
  destroy(): void;
}
