import type { KnownPrincipal } from '../../base/log.js';
import type { ClientDescription } from '../../base/request-context.js';

/** A JSON-RPC message between a client and the server. */
export interface ObservedMessage {
  /** Counts the messages that were observed: 1, 2, 3 and so on. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly direction: 'received' | 'sent';
  readonly transport: 'http' | 'stdio' | 'memory';
  /**
   * The same for all messages of one channel: a connection (stdio), a session of a stateful revision, or one request
   * and what is sent for it. It says nothing about the id of a session, which is like a password.
   */
  readonly channel: string;
  readonly principal: KnownPrincipal | undefined;
  readonly client: ClientDescription['info'] | undefined;
  /**
   * The message. Values marked sensitive are hidden, and so are sealed states. What could not be read as JSON is left
   * out.
   */
  readonly message: unknown;
}

export type MessageListener = (observed: ObservedMessage) => void;
