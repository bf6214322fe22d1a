import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Peer, Protocol } from '@toolwright/core/transport';
import type { McpHttpSettings } from './options.js';
import type { SseSettings } from './sse-stream.js';

/** What the handlers of one mounted endpoint share. */
export interface Endpoint {
  readonly protocol: Protocol;
  readonly settings: McpHttpSettings;
  readonly sse: SseSettings;
  /** Present when the transport of 2024-11-05 is served. */
  readonly oldSse: OldTransport | undefined;
}

/** HTTP+SSE of 2024-11-05. */
interface OldTransport {
  /** Opens a stream. */
  get(call: HttpCall): void;
  /** Takes a message for the stream with this id. */
  post(call: HttpCall, id: string): void;
}

/**
 * The headers of a request by their lower-case names. Node joins repeated ones, and no comparison accepts a
 * joined value. Only `Set-Cookie` would be a list, and requests have none.
 */
export type HeaderValues = Readonly<Record<string, string | undefined>>;

/** An HTTP request that has passed the address check and authentication. */
export interface HttpCall {
  readonly endpoint: Endpoint;
  readonly req: IncomingMessage;
  /**
   * The headers of `req`, read only once: on Node 20, every request in Express has its own hidden class, so
   * reading one of its members is never fast.
   */
  readonly headers: HeaderValues;
  readonly res: ServerResponse;
  /** Present when an application around this endpoint handles errors. */
  readonly next: ((error: unknown) => void) | undefined;
  readonly peer: Peer;
}
