import type { Cancellation } from '../messages/cancellation.js';
import type { Principal, TraceContext } from '../../base/request-context.js';

/** The other end of a channel, as the transport knows it. */
export interface Peer {
  readonly principal: Principal | undefined;
  readonly ip: string | undefined;
  readonly transport: 'http' | 'stdio' | 'memory';
  /** The W3C trace context of the transport itself: HTTP headers. */
  readonly trace?: TraceContext | undefined;
}

/**
 * One request as its transport sees it: who asks, how to send a message before the answer, and whether the
 * request was cancelled.
 */
export interface ResponseChannel {
  readonly peer: Peer;
  readonly cancellation: Cancellation;
  /** Sends a message that belongs to the request, before its answer. */
  send(text: string): void;
}
