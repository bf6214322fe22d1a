import type { Cancellation } from '../messages/cancellation.js';
import type { Principal, TraceContext } from '../../base/request-context.js';

/** Who is at the other end, as the transport vouches for it. */
export interface Peer {
  readonly principal: Principal | undefined;
  readonly ip: string | undefined;
  readonly transport: 'http' | 'stdio' | 'memory';
  /** W3C trace context of the transport's own: HTTP headers. */
  readonly trace?: TraceContext | undefined;
}

/** One request as its transport sees it: who asks, how to say something before the answer, and whether it was given up. */
export interface ResponseChannel {
  readonly peer: Peer;
  readonly cancellation: Cancellation;
  /** Sends a message that belongs to the request ahead of its answer. */
  send(text: string): void;
}
