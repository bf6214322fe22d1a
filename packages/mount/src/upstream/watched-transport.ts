import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import type { RequestId } from '@toolwright/core/transport';
import { BUDGET } from '../budget.js';
import { currentExchange, duringExchange, type UpstreamExchange, outsideExchanges } from './scope.js';

/** In the `_meta` of a result: the task that the server behind has made of the call. */
export const TASK = 'toolwright/mounted-task';

/** The data of the error in place of an answer that cannot come any more. */
export const LOST: { readonly failure?: Error } = Object.freeze({});

/** Tricks that a server behind has tried. */
export type Trick =
  | 'foreign answer'
  | 'unknown answer'
  | 'foreign progress'
  | 'question without a call'
  | 'replies that are not read';

/**
 * A transport of the SDK that is not believed. An answer counts only for the request that it answers: over HTTP, it must
 * come on that request's own stream. When such a stream ends without an answer, the request fails at once, and does not
 * wait for its time to run out.
 */
export class WatchedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #waiting = new Map<RequestId, { readonly method: string; readonly exchange: UpstreamExchange }>();
  #isClosed = false;
  /** Questions of the server whose reply it has not taken yet. */
  #owed = 0;

  /** @param hasOwnStreams whether each request has a stream of its own */
  constructor(
    private readonly inner: Transport,
    private readonly hasOwnStreams: boolean,
    private readonly noticed: (trick: Trick) => void,
  ) {}

  get hasPerRequestStream(): boolean {
    return this.inner.hasPerRequestStream === true;
  }

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.inner.setProtocolVersion?.(version);
  }

  async start(): Promise<void> {
    this.inner.onmessage = (message) => this.#receive(message);
    this.inner.onerror = (error) => this.onerror?.(error);
    this.inner.onclose = () => {
      if (this.#isClosed) return;
      this.#isClosed = true;
      for (const id of [...this.#waiting.keys()]) this.#lose(id);
      this.onclose?.();
    };
    await outsideExchanges(() => this.inner.start());
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const call = currentExchange()?.call;
    if (!('method' in message) || !('id' in message)) {
      const sent = duringExchange({ call }, () => this.inner.send(message, options));
      return 'method' in message ? sent : sent.finally(() => this.#owed--);
    }
    const { id, method } = message as { id: RequestId; method: string };
    const exchange: UpstreamExchange = { call, id };
    this.#waiting.set(id, { method, exchange });
    const ended = () => {
      options?.onRequestStreamEnd?.();
      this.#lose(id);
    };
    try {
      await duringExchange(exchange, () =>
        this.inner.send(message, { ...options, onRequestStreamEnd: ended }),
      );
    } catch (error) {
      this.#waiting.delete(id);
      throw exchange.failure ?? error;
    }
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  #receive(message: JSONRPCMessage): void {
    if ('method' in message) {
      if (message.method === 'notifications/progress' && !this.#isOwnProgress(message.params))
        return this.noticed('foreign progress');
      if ('id' in message && ++this.#owed > BUDGET.owedReplies) {
        this.noticed('replies that are not read');
        return void this.inner.close().catch(() => undefined);
      }
      return this.onmessage?.(message);
    }
    const { id } = message as { id?: RequestId };
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (!waiting) return this.noticed('unknown answer');
    if (this.hasOwnStreams && currentExchange()?.id !== id) return this.noticed('foreign answer');
    this.#waiting.delete(id!);
    this.onmessage?.(waiting.method === 'tools/call' ? withTask(message) : message);
  }

  #isOwnProgress(params: unknown): boolean {
    const { progressToken } = (params ?? {}) as { progressToken?: RequestId };
    return !this.hasOwnStreams || progressToken === currentExchange()?.id;
  }

  /** The SDK knows no way to say this, so the request gets an error as its answer. */
  #lose(id: RequestId): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    const { failure } = waiting.exchange;
    const data = failure ? { failure } : LOST;
    this.onmessage?.({
      jsonrpc: '2.0',
      id,
      error: { code: -32603, message: 'The connection ended before the answer came.', data },
    });
  }
}

/** The SDK refuses results that are tasks, so the task travels inside of an empty result. */
function withTask(message: JSONRPCMessage): JSONRPCMessage {
  const { result } = message as { result?: Record<string, unknown> };
  if (result?.['resultType'] !== 'task') return message;
  const { resultType: _, _meta, ...task } = result;
  const marked = { resultType: 'complete', content: [], _meta: { ...(_meta as object), [TASK]: task } };
  return { ...message, result: marked } as JSONRPCMessage;
}
