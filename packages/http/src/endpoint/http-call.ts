import type { Connection, Peer, Protocol } from '@toolwright/core/transport';
import type { Exchange } from './exchange.js';
import type { EndpointSettings } from './options.js';
import type { SseSettings } from './sse-stream.js';

/** What the handlers of one mounted endpoint share. */
export interface Endpoint {
  readonly protocol: Protocol;
  readonly settings: Pick<EndpointSettings, 'maxBodyBytes' | 'writeChallenge' | 'challenge'>;
  readonly sse: SseSettings;
  /** Present when people who open the endpoint in a browser are shown a page. */
  readonly landing: Landing | undefined;
  /** Present when the transport of 2024-11-05 is served. */
  readonly oldSse: OldTransport | undefined;
}

/** Answers people who open the endpoint in a browser. False if nothing was answered. */
interface Landing {
  show(exchange: Exchange): boolean;
}

/** HTTP+SSE of 2024-11-05. */
interface OldTransport {
  /** Opens a stream. */
  get(call: HttpCall): void;
  /** The stream with this id. Where the caller has none, the request is answered, and nothing returned. */
  find(call: HttpCall, id: string): Connection | undefined;
}

/** An HTTP request that has passed the address check and authentication. */
export interface HttpCall {
  readonly endpoint: Endpoint;
  readonly exchange: Exchange;
  readonly peer: Peer;
}
