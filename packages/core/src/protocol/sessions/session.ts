import { randomBytes } from 'node:crypto';
import { ToolError } from '../../base/errors/tool-error.js';
import type { Clock } from '../../ports/clock.js';
import type { ServerEvent } from '../../ports/event-bus.js';
import type { Cancellation } from '../messages/cancellation.js';
import { changeNotifications, isListChange, RESOURCE_UPDATED } from './change-notification.js';
import { EventStream, type EventSink, type StreamOwner } from './event-stream.js';
import { isJsonObject, type RpcResponse } from '../messages/json-rpc.js';
import { notificationText, requestText } from '../messages/reply.js';
import type { Revision } from '../../base/revision.js';
import type {
  ClientDescription,
  LogLevel,
  RequestId,
  SessionHandle,
  TraceContext,
} from '../../base/request-context.js';

export interface SessionStart {
  revision: Revision;
  client: ClientDescription;
  /** Of the principal it belongs to. */
  owner: string;
  /** False for one that ends with its request: nothing can be kept for it. */
  lasting: boolean;
  clock: Clock;
  answerMs: number;
}

interface OpenQuestion {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Longest refusal of a client that is repeated to a model. */
const MAX_REFUSAL = 200;
const STANDALONE = 'standalone';

/** What the older era remembers between requests: the handshake, open questions, running requests, subscriptions. */
export class Session implements SessionHandle {
  readonly id: string = randomBytes(16).toString('hex');
  readonly revision: Revision;
  readonly client: ClientDescription;
  readonly owner: string;
  readonly lasting: boolean;
  readonly subscriptions = new Set<string>();
  readonly running = new Map<RequestId, Cancellation>();
  /** The client said `notifications/initialized`: from then on it may be asked and told things. */
  initialized = false;
  /** Before `logging/setLevel` the server chooses. */
  logLevel: LogLevel = 'info';
  lastUsed: number;
  readonly #questions = new Map<RequestId, OpenQuestion>();
  readonly #streams = new Map<string, EventStream>();
  readonly #clock: Clock;
  readonly #answerMs: number;
  readonly #endListeners: (() => void)[] = [];
  #hasEnded = false;
  #opened = 0;
  #standalone: EventStream | undefined;

  constructor(
    { revision, client, owner, lasting, clock, answerMs }: SessionStart,
    private readonly streams: Omit<StreamOwner, 'sessionId'>,
  ) {
    this.revision = revision;
    this.client = client;
    this.owner = owner;
    this.lasting = lasting;
    this.#clock = clock;
    this.#answerMs = answerMs;
    this.lastUsed = clock.now();
  }

  onEnd(listener: () => void): void {
    if (this.#hasEnded) listener();
    else this.#endListeners.push(listener);
  }

  /** Somebody waits for something: not to be thrown out. */
  get busy(): boolean {
    return this.running.size > 0 || this.#standalone?.connected === true;
  }

  /** The stream of one request. */
  openStream(): EventStream {
    const id = `${this.#opened++}-${randomBytes(6).toString('hex')}`;
    const stream = new EventStream(id, this.#streamOwner());
    this.#streams.set(id, stream);
    return stream;
  }

  closeStream(stream: EventStream): void {
    stream.end();
    this.#streams.delete(stream.id);
  }

  /** The stream for what belongs to no request. */
  listen(sink: EventSink): EventStream {
    this.#standalone ??= new EventStream(STANDALONE, this.#streamOwner());
    this.#standalone.attach(sink);
    return this.#standalone;
  }

  /**
   * Replays what followed the event, on its own stream alone, and goes on with it where it is still open. An event of
   * another session replays nothing.
   */
  async resume(lastEventId: string, sink: EventSink): Promise<EventStream | undefined> {
    const id = EventStream.streamOf(lastEventId);
    const missed = (await this.streams.store?.after(this.id, id, lastEventId)) ?? [];
    for (const event of missed) sink.write(event.text, event.id);
    const stream = this.#streams.get(id);
    if (stream) {
      stream.attach(sink);
      return stream;
    }
    // A request's stream that has ended, all of it replayed now.
    if (missed.length > 0 && id !== STANDALONE) {
      sink.close();
      return undefined;
    }
    return this.listen(sink);
  }

  /**
   * Asks the client. An id is this session's own and never reused. It cannot be guessed, so that an answer proves that
   * its sender was sent the question.
   */
  ask(
    method: string,
    params: Record<string, unknown>,
    { send, cancellation, trace }: AskRoute,
  ): Promise<unknown> {
    const id = `server-${randomBytes(12).toString('base64url')}`;
    return new Promise<unknown>((resolve, reject) => {
      const giveUp = (error: unknown) => {
        if (this.#questions.has(id)) send(notificationText('notifications/cancelled', { requestId: id }));
        settle(() => reject(error));
      };
      const cancelTimer = this.#clock.after(this.#answerMs, () =>
        giveUp(new ToolError('The client did not answer in time.')),
      );
      const onAbort = () => giveUp(signal.reason);
      const { signal } = cancellation;
      const settle = (then: () => void) => {
        cancelTimer();
        signal.removeEventListener('abort', onAbort);
        this.#questions.delete(id);
        then();
      };
      this.#questions.set(id, {
        resolve: (result) => settle(() => resolve(result)),
        reject: (error) => settle(() => reject(error)),
      });
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      send(requestText(id, method, traced(params, trace())));
    });
  }

  /** The client's answer to a question. One that nobody waits for is ignored. */
  answer({ id, result, error }: RpcResponse): void {
    const question = id === undefined ? undefined : this.#questions.get(id);
    if (!question) return;
    if (error === undefined) return question.resolve(result);
    const message =
      isJsonObject(error) && typeof error['message'] === 'string' ? error['message'] : 'no reason given';
    question.reject(new ToolError(`The client refused: ${message.slice(0, MAX_REFUSAL)}`));
  }

  /** Tells the client of a change, if it is listening and wanted to know. */
  hear(event: ServerEvent): void {
    if (!this.initialized) return;
    if (isListChange(event.type))
      this.#standalone?.send(notificationText(changeNotifications[event.type].method));
    else if (event.type === 'resourceUpdated' && this.subscriptions.has(event.uri)) {
      this.#standalone?.send(notificationText(RESOURCE_UPDATED, { uri: event.uri }));
    }
  }

  /** Ends everything that belongs to it. */
  close(reason: unknown): void {
    for (const cancellation of [...this.running.values()]) cancellation.abort(reason);
    for (const question of [...this.#questions.values()]) question.reject(reason);
    for (const stream of [...this.#streams.values()]) this.closeStream(stream);
    this.#standalone?.end();
    this.#standalone = undefined;
    this.#hasEnded = true;
    for (const listener of this.#endListeners.splice(0)) listener();
  }

  /** Ends the streams that wait for changes, for a server that stops. */
  endStandalone(): void {
    this.#standalone?.end();
    this.#standalone = undefined;
  }

  #streamOwner(): StreamOwner {
    return { ...this.streams, sessionId: this.id };
  }
}

export interface AskRoute {
  send(text: string): void;
  cancellation: Cancellation;
  /** What the question belongs to, once that is known. */
  trace(): TraceContext;
}

/** Lets the client's work for a question join the trace. Without baggage: a proxy may have put in what is not for it. */
function traced(
  params: Record<string, unknown>,
  { traceparent, tracestate }: TraceContext,
): Record<string, unknown> {
  if (traceparent === undefined) return params;
  return { ...params, _meta: { traceparent, ...(tracestate !== undefined && { tracestate }) } };
}
