import type { Revision } from '@toolwright/core';

/** Any JSON-RPC message, as parsed JSON. */
export interface WireMessage {
  jsonrpc: '2.0';
  id?: string | number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

/**
 * A two-way connection to a server. `send` sends messages. The listener that opened the channel receives
 * them.
 */
export interface Channel {
  send(message: WireMessage): void | Promise<void>;
  /** Is called with the revision that a handshake has agreed on. HTTP repeats it in a header. */
  negotiated?(revision: Revision): void;
  close(): void | Promise<void>;
}

/** Opens a channel. `receive` is called with every message from the server, in order. */
export type OpenChannel = (receive: (message: WireMessage) => void) => Channel | Promise<Channel>;
