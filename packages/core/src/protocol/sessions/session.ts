import { randomBytes } from 'node:crypto';
import { ToolError } from '../../base/errors/tool-error.js';
import type { Clock } from '../../ports/clock.js';
import type { ServerEvent } from '../../ports/event-bus.js';
import type { Cancellation } from '../messages/cancellation.js';
import { changeNotifications, isListChange, listChanges, RESOURCE_UPDATED } from './change-notification.js';
import { EventStream, type EventSink, type StreamOwner } from './event-stream.js';
import { isJsonObject, type RpcResponse, notificationText, requestText } from '../messages/json-rpc.js';
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
  /** The key of the principal that the session belongs to. */
  owner: string;
  /** False for a session that ends with its request: nothing can be kept for it. */
  lasting: boolean;
  clock: Clock;
  answerMs: number;
}

interface OpenQuestion {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** The longest part of a client's refusal that a model gets to read. */
const MAX_REFUSAL = 200;
const STANDALONE = 'standalone';

/**
 * What the older era remembers between requests: the handshake, open questions, running requests and
 * subscriptions.
 */
export class Session implements SessionHandle {
  readonly id: string = randomBytes(16).toString('hex');
  readonly revision: Revision;
  readonly client: ClientDescription;
  readonly owner: string;
  readonly lasting: boolean;
  readonly subscriptions = new Set<string>();
  readonly running = new Map<RequestId, Cancellation>();
  /**
   * True after the client sent `notifications/initialized`. From then on, the server may send it questions
   * and notifications.
   */
  initialized = false;
  /** The server chooses the level until the client sends `logging/setLevel`. */
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

  /** True when somebody waits for something. The session must not be ended then. */
  get busy(): boolean {
    return this.running.size > 0 || this.#standalone?.connected === true;
  }

  /** Opens the stream of one request. */
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

  /** Opens the stream for messages that belong to no request. */
  listen(sink: EventSink): EventStream {
    this.#standalone ??= new EventStream(STANDALONE, this.#streamOwner());
    this.#standalone.attach(sink);
    return this.#standalone;
  }

  /**
   * Replays the events that followed `lastEventId` on its own stream, and continues the stream if it is still
   * open. The id of another session replays nothing.
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
    // This stream belongs to a request that has ended, and all of it was replayed.
    if (missed.length > 0 && id !== STANDALONE) {
      sink.close();
      return undefined;
    }
    return this.listen(sink);
  }

  /**
   * Asks the client. The id belongs to this session, is never reused, and cannot be guessed. An answer with
   * this id therefore proves that its sender got the question.
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

  /** Takes the client's answer to a question. An answer that nobody waits for is ignored. */
  answer({ id, result, error }: RpcResponse): void {
    const question = id === undefined ? undefined : this.#questions.get(id);
    if (!question) return;
    if (error === undefined) return question.resolve(result);
    const message =
      isJsonObject(error) && typeof error['message'] === 'string' ? error['message'] : 'no reason given';
    question.reject(new ToolError(`The client refused: ${message.slice(0, MAX_REFUSAL)}`));
  }

  /** Tells the client about a change, if it is listening and asked for such changes. */
  hear(event: ServerEvent): void {
    if (!this.initialized) return;
    if (isListChange(event.type))
      this.#standalone?.send(notificationText(changeNotifications[event.type].method));
    else if (event.type === 'resourceUpdated' && this.subscriptions.has(event.uri)) {
      this.#standalone?.send(notificationText(RESOURCE_UPDATED, { uri: event.uri }));
    } else if (event.type === 'eventsMissed') {
      for (const type of listChanges) this.hear({ type });
      for (const uri of this.subscriptions) this.hear({ type: 'resourceUpdated', uri });
    }
  }

  /** Ends everything that belongs to the session. */
  close(reason: unknown): void {
    for (const cancellation of [...this.running.values()]) cancellation.abort(reason);
    for (const question of [...this.#questions.values()]) question.reject(reason);
    for (const stream of [...this.#streams.values()]) this.closeStream(stream);
    this.#standalone?.end();
    this.#standalone = undefined;
    this.#hasEnded = true;
    for (const listener of this.#endListeners.splice(0)) listener();
  }

  /** Ends the streams that wait for changes, when the server stops. */
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
  /** The trace that the question belongs to, when it is known. */
  trace(): TraceContext;
}

/**
 * Adds the trace to a question, so that the client's work joins it. Baggage is left out: a proxy may have
 * added some that the client must not see.
 */
function traced(
  params: Record<string, unknown>,
  { traceparent, tracestate }: TraceContext,
): Record<string, unknown> {
  if (traceparent === undefined) return params;
  return { ...params, _meta: { traceparent, ...(tracestate !== undefined && { tracestate }) } };
}
