import { type MethodNames, namesOf, readNames, type Revision, writeNames } from '@toolwright/core/transport';

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
  /** The server is in this process, so nothing of the channel keeps the process alive while an answer is awaited. */
  readonly isInProcess?: boolean;
  send(message: WireMessage): void | Promise<void>;
  /** Is called with the revision that a handshake has agreed on. HTTP repeats it in a header. */
  negotiated?(revision: Revision): void;
  close(): void | Promise<void>;
}

/** Opens a channel. `receive` is called with every message from the server, in order. */
export type OpenChannel = (receive: (message: WireMessage) => void) => Channel | Promise<Channel>;

type Params = Record<string, unknown>;
type Result = Record<string, unknown>;

/** Receives what the other side sends on its own. */
interface Incoming {
  /** What the client asks for, until a handshake has agreed on another one. */
  readonly revision: Revision;
  notification(method: string, params: Params): void;
  /**
   * Answers a request of the other side.
   *
   * @throws any error, which is then answered as a JSON-RPC error
   */
  request(method: string, params: Params): Promise<Result>;
}

interface Waiting {
  resolve(result: Result): void;
  reject(error: Error): void;
}

/** As they are when this module is loaded: those of a test may not be real. */
const { setInterval: startTimer, clearInterval: endTimer } = globalThis;
const LONG_MS = 2 ** 30;
/** A subscription is open for as long as its client, and nobody waits for its end. */
const SUBSCRIPTION = 'subscriptions/listen';

/** Speaks JSON-RPC 2.0 over one channel. It matches answers with requests, and passes everything else on. */
export class RpcExchange {
  private readonly waiting = new Map<string | number, Waiting>();
  private channel!: Channel;
  private nextId = 1;
  private names: MethodNames | undefined;
  private awaited = 0;
  private timer: ReturnType<typeof setInterval> | undefined;

  private constructor(private readonly incoming: Incoming) {
    this.names = namesOf(incoming.revision);
  }

  static async open(open: OpenChannel, incoming: Incoming): Promise<RpcExchange> {
    const exchange = new RpcExchange(incoming);
    exchange.channel = await open((message) => exchange.receive(message));
    return exchange;
  }

  /**
   * The id of the next request. You can use it for a progress token or a subscription before the request is
   * sent.
   */
  get upcomingId(): number {
    return this.nextId;
  }

  /**
   * Sends a request and returns its answer.
   *
   * @param signal aborting it sends `notifications/cancelled` and rejects with the signal's reason
   * @throws {RpcError} when the server answers with an error
   */
  async request(method: string, params: Params, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    const id = this.nextId++;
    const answer = new Promise<Result>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    // The answer may come after the request has failed to be sent. Nobody waits for it then.
    answer.catch(() => undefined);
    const cancel = () => this.cancel(id, signal!);
    signal?.addEventListener('abort', cancel, { once: true });
    const isAwaited = this.channel.isInProcess === true && method !== SUBSCRIPTION;
    if (isAwaited) this.await();
    try {
      const sent = this.channel.send({ jsonrpc: '2.0', id, ...writeNames(this.names, { method, params }) });
      // The channel may have more to do after the answer, such as to read the end of a stream.
      return await Promise.race([answer, Promise.resolve(sent).then(() => answer)]);
    } finally {
      this.waiting.delete(id);
      if (isAwaited && --this.awaited === 0) endTimer(this.timer);
      signal?.removeEventListener('abort', cancel);
    }
  }

  /**
   * Keeps the process alive until the answer. The timers of a server do not: a test of `node --test` that waits for the
   * limit of a call in its own process would end before it.
   */
  private await(): void {
    if (this.awaited++ === 0) this.timer = startTimer(() => undefined, LONG_MS);
  }

  async notify(method: string, params: Params = {}): Promise<void> {
    await this.channel.send({ jsonrpc: '2.0', ...writeNames(this.names, { method, params }) });
  }

  negotiated(revision: Revision): void {
    this.names = namesOf(revision);
    this.channel.negotiated?.(revision);
  }

  /** Rejects all requests that still wait, because no answer can come any more. */
  async close(): Promise<void> {
    this.giveUp(closedEarly());
    await this.channel.close();
  }

  private giveUp(reason: Error): void {
    for (const { reject } of this.waiting.values()) reject(reason);
  }

  private cancel(id: number, signal: AbortSignal): void {
    const reason = reasonOf(signal);
    this.waiting.get(id)?.reject(reason);
    void this.notify('notifications/cancelled', { requestId: id, reason: reason.message });
  }

  private receive({ id, method: sent, params: given = {}, result, error }: WireMessage): void {
    if (sent !== undefined) {
      const { method, params } = readNames(this.names, { method: sent, params: given });
      if (id === undefined) this.incoming.notification(method, params);
      // A server that does not take our answer goes on with no request.
      else this.answer(id, method, params).catch((reason: Error) => this.giveUp(reason));
    } else if (id === undefined) return;
    else if (error) this.waiting.get(id)?.reject(new RpcError(error.code, error.message, error.data));
    else this.waiting.get(id)?.resolve(this.readQuestions(result ?? {}));
  }

  /** Questions inside a result are messages, too. */
  private readQuestions(result: Result): Result {
    const { inputRequests: asked } = result;
    if (!this.names || typeof asked !== 'object' || asked === null) return result;
    const known = Object.entries(asked).map(([key, question]) => [key, this.names!.read({ ...question })]);
    return { ...result, inputRequests: Object.fromEntries(known) as Params };
  }

  private async answer(id: string | number, method: string, params: Params): Promise<void> {
    const outcome = await this.incoming.request(method, params).then(
      (result) => ({ result }),
      (cause: Error) => ({
        error: { code: cause instanceof RpcError ? cause.code : -32603, message: cause.message },
      }),
    );
    await this.channel.send({ jsonrpc: '2.0', id, ...outcome });
  }
}

/** The server answered, and the answer is not what the protocol allows. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
}

/** The server answered a request with a JSON-RPC error. */
export class RpcError extends Error {
  override readonly name = 'RpcError';

  constructor(
    /** JSON-RPC `error.code`, such as -32602 for an unknown tool. */
    readonly code: number,
    message: string,
    /** JSON-RPC `error.data`. */
    readonly data?: Record<string, unknown>,
  ) {
    super(message);
  }
}

export const closedEarly = () => new Error('The client was closed before the answer came.');

/** Why a signal was aborted, as an error. */
export function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
