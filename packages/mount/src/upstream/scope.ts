import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestId } from '@toolwright/core/transport';

/** A call of ours that a server behind is working on. What the server says meanwhile goes to it, and to no other. */
export interface CallInFlight {
  /** Who has called. Calls of one caller have the same key. */
  readonly caller: string;
  /** The token that requests for this call carry. */
  readonly token?: string | undefined;
  /** Puts a question to the client that has made the call. */
  ask(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Passes a log message on. */
  log(params: Record<string, unknown>): void;
}

/** One request to a server behind. */
export interface UpstreamExchange {
  readonly call: CallInFlight | undefined;
  readonly id?: RequestId | undefined;
  /** Why its answer was not read to its end. */
  failure?: Error;
}

/**
 * Over HTTP, each request has a stream of its own, and the code that reads it runs in the context of the request. So it
 * is known which call a question belongs to, even where the protocol does not say so.
 */
const exchanges = new AsyncLocalStorage<UpstreamExchange | undefined>();

/** The request whose answer is being read; `undefined` where that is not known. */
export function currentExchange(): UpstreamExchange | undefined {
  return exchanges.getStore();
}

export function duringExchange<T>(exchange: UpstreamExchange, run: () => T): T {
  return exchanges.run(exchange, run);
}

/** Runs what belongs to no call, such as the start of a process that many calls will use. */
export function outsideExchanges<T>(run: () => T): T {
  return exchanges.run(undefined, run);
}
