import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request and its response, as the platform gives them to a route. */
export interface Exchange {
  readonly request: PlatformRequest;
  readonly response: PlatformResponse;
}

/** Express adds to the request of Node. Fastify wraps it. */
export interface PlatformRequest {
  readonly raw?: IncomingMessage;
  readonly body?: unknown;
  readonly ip?: string;
}

export interface PlatformResponse {
  readonly raw?: ServerResponse;
  /** Present in Fastify, which keeps headers until it writes an answer. */
  getHeaders?(): Readonly<Record<string, number | string | readonly string[] | undefined>>;
}

/** The HTTP exchange that the running code belongs to. Calls over other transports have none. */
export const exchanges = new AsyncLocalStorage<Exchange>();
