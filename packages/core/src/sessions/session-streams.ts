import { JsonRpcCode } from '@toolwright/ground/base/errors/errors';
import type { RequestId } from '@toolwright/ground/base/request-context';
import { SparseMap } from '@toolwright/ground/base/sparse-map';
import { within } from '@toolwright/ground/call/limits/timed-store';
import type { StoredEvent } from '@toolwright/ground/ports/event-store';
import { isRequestId, errorText } from '@toolwright/wire/json-rpc';
import { CHANGES, ChangeStream, type Detach } from './change-stream.js';
import { type EventSink, EventStream, ReplayingSink, type StreamOwner } from './event-stream.js';
import type { SessionMessage } from './session-peers.js';
import { randomBytes } from 'node:crypto';
import { type MaybePromise, isPromise } from '@toolwright/json';

/** How many streams of other processes a session may follow. A client that resumes more loses the oldest one. */
const MAX_FOLLOWED = 128;

/** One stream of a session, for operators. */
export interface OpenStream {
  /** `changes`: for messages of no request. `answer`: of one request. `followed`: of another process. */
  readonly kind: 'changes' | 'answer' | 'followed';
  /** False while its client is away. Its messages are kept meanwhile, if there is a store. */
  readonly isConnected: boolean;
}

/**
 * The streams of one session: one for each request that is answered with a stream, and one for changes. A
 * client may resume a stream at another process than the one that writes to it.
 */
export class SessionStreams {
  readonly #open = new SparseMap<string, EventStream>();
  /** The streams of other processes whose clients are connected to this one. */
  readonly #followed = new SparseMap<string, FollowedStream>();
  readonly #changes: ChangeStream;
  #count = 0;

  constructor(private readonly owner: StreamOwner) {
    this.#changes = new ChangeStream(owner);
  }

  /** True while a client is connected to a stream that belongs to no request of this process. */
  get isWatched(): boolean {
    return this.#changes.current?.connected === true || this.#followed.size > 0;
  }

  /** The streams that are open, for operators. */
  get opened(): readonly OpenStream[] {
    const answers = this.#open.values().map(({ connected }) => ({
      kind: 'answer' as const,
      isConnected: connected,
    }));
    const followed = this.#followed.values().map(() => ({ kind: 'followed' as const, isConnected: true }));
    const { current } = this.#changes;
    const changes = current ? [{ kind: 'changes' as const, isConnected: current.connected }] : [];
    return [...changes, ...answers, ...followed];
  }

  /** Opens the stream of one request. */
  open(requestId?: RequestId): EventStream {
    const id = streamIdOf(this.#count++, requestId);
    const stream = new EventStream(id, this.owner);
    this.#open.set(id, stream);
    return stream;
  }

  close(stream: EventStream): void {
    stream.end();
    this.#open.delete(stream.id);
  }

  /** Connects a client to the stream for messages that belong to no request. */
  listen(sink: EventSink): Detach {
    return this.#changes.listen(sink);
  }

  /**
   * Sends a message that belongs to no request. @returns false when the client has never listened for such
   * messages
   */
  announce(text: string): boolean {
    const { current } = this.#changes;
    current?.send(text);
    return current !== undefined;
  }

  /**
   * Replays the events that followed `lastEventId` on its own stream, and continues the stream if it is still
   * open. The id of another session replays nothing.
   */
  async resume(lastEventId: string, sink: EventSink): Promise<Detach> {
    const id = EventStream.streamOf(lastEventId);
    const own = this.#open.get(id);
    if (id !== CHANGES && !own && this.owner.tell) return this.#follow(id, lastEventId, sink);
    if (own?.isFollowed) this.owner.tell?.({ kind: 'back', stream: id });
    const replaying = new ReplayingSink(sink, id === CHANGES);
    own?.attach(replaying);
    let detach = own && (() => own.detach(replaying));
    if (id === CHANGES) detach = await this.#changes.resume(replaying);
    try {
      const missed = await missedEvents(this.owner, id, lastEventId);
      replaying.replay(missed);
      if (!detach && missed.length === 0) detach = this.#changes.listen(replaying);
      // This stream belongs to a request that has ended, and all of it was replayed.
      if (!detach) replaying.close();
    } catch (error) {
      this.owner.outage.failed(error);
      // Nobody would read what it holds back.
      detach?.();
      sink.close();
      return () => undefined;
    }
    replaying.open();
    return detach ?? (() => undefined);
  }

  /** Hears what another process says about the streams of this session. */
  hear(message: SessionMessage): void {
    if (message.kind === 'listening') this.#changes.hearListening(message.claim);
    else if (message.kind === 'released') this.#changes.hearReleased();
    else if (message.kind === 'wanted') this.#wanted(message.stream);
    else if (message.kind === 'watched') this.#watched(message.stream);
    else if (message.kind === 'back') this.#followed.get(message.stream)?.stop();
    else if (message.kind === 'grown') this.#followed.get(message.stream)?.grown();
  }

  /** Ends the stream for changes, because the server stops. */
  endStandalone(): void {
    this.#changes.end();
  }

  end(): void {
    for (const stream of this.#open.values()) this.close(stream);
    for (const followed of this.#followed.values()) followed.stop();
    this.endStandalone();
  }

  /** The client has resumed the stream at another process. Its connection here is an old one. */
  #wanted(stream: string): void {
    this.#followed.get(stream)?.stop();
    void this.#open.get(stream)?.giveAway();
  }

  /** The client has come back here. A process that follows its stream must not take it away again. */
  #watched(stream: string): void {
    const own = this.#open.get(stream);
    if (own) this.owner.tell?.({ kind: own.isFollowed ? 'grown' : 'back', stream });
  }

  async #follow(id: string, lastEventId: string, sink: EventSink): Promise<Detach> {
    // Clients send these ids: anything may come.
    if (!this.owner.store || !STREAM_ID.test(id)) {
      sink.close();
      return () => undefined;
    }
    const followed = new FollowedStream(id, lastEventId, requestOf(id), sink, this.owner, () => {
      if (this.#followed.get(id) === followed) this.#followed.delete(id);
    });
    this.#followed.get(id)?.stop();
    if (this.#followed.size >= MAX_FOLLOWED) this.#followed.values()[0]!.stop();
    this.#followed.set(id, followed);
    await followed.start();
    return () => followed.stop();
  }
}

/** The longest request id that a stream remembers, in characters. */
const MAX_REQUEST_ID = 64;
/** The form of the ids that `streamIdOf` makes. */
const STREAM_ID = /^\d{1,16}-[\da-f]{12}(?:-(?<request>[\w-]{1,400}))?$/;

/** A new id for the stream that answers a request. Nobody can guess it. */
function streamIdOf(count: number, requestId: RequestId | undefined): string {
  const text = requestId === undefined ? '' : JSON.stringify(requestId);
  const request = text && text.length <= MAX_REQUEST_ID ? `-${Buffer.from(text).toString('base64url')}` : '';
  return `${count}-${randomBytes(6).toString('hex')}${request}`;
}

/** The id of the request that a stream answers, if its own id has it. */
function requestOf(id: string): RequestId | undefined {
  try {
    const text = STREAM_ID.exec(id)?.groups?.['request'] ?? '';
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return isRequestId(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** How many milliseconds the owner of a stream has to answer. */
const ANSWER_MS = 3_000;
/** How often the owner is asked whether it still runs. */
const ASK_AGAIN_MS = 10_000;

/**
 * A stream that another process owns and whose client is connected to this one. The owner stores events and says that
 * new ones are there; this process reads them and passes them on.
 */
export class FollowedStream {
  #lastEventId: string;
  #isOver = false;
  #reading: Promise<void> = Promise.resolve();
  #cancelTimer: (() => void) | undefined;

  constructor(
    readonly id: string,
    lastEventId: string,
    /** The request that the stream answers, if it is known. */
    private readonly requestId: RequestId | undefined,
    private readonly sink: EventSink,
    private readonly owner: StreamOwner,
    private readonly onEnd: () => void,
  ) {
    this.#lastEventId = lastEventId;
  }

  /** Sends what was missed, and follows the stream if it has not ended. */
  async start(): Promise<void> {
    await this.#readMore();
    this.#ask('wanted');
  }

  /** The owner has stored an event, or it says that it is still there. */
  grown(): void {
    this.#wait(ASK_AGAIN_MS, () => this.#ask('watched'));
    void this.#readMore();
  }

  /** The client has gone, or the session has ended. */
  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelTimer?.();
    this.sink.close();
    this.onEnd();
  }

  /** `wanted`: the owner is to say when the stream has grown. `watched`: whether it still runs. */
  #ask(kind: 'wanted' | 'watched'): void {
    if (this.#isOver) return;
    this.#wait(ANSWER_MS, () => void this.#giveUp());
    this.owner.tell?.({ kind, stream: this.id });
  }

  #wait(ms: number, then: () => void): void {
    this.#cancelTimer?.();
    if (!this.#isOver) this.#cancelTimer = this.owner.clock.after(ms, then);
  }

  /** One read at a time: two at once would send the same events twice. */
  #readMore(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#read());
    return this.#reading;
  }

  async #read(): Promise<void> {
    if (this.#isOver) return;
    try {
      for (const { id, text, last } of await missedEvents(this.owner, this.id, this.#lastEventId)) {
        if (this.#isOver) return;
        this.#lastEventId = id;
        if (last) return this.stop();
        this.sink.write(text, id);
      }
    } catch (error) {
      this.owner.outage.failed(error);
    }
  }

  /** Nobody owns the stream any more. Its last events may have been stored just before. */
  async #giveUp(): Promise<void> {
    await this.#readMore();
    if (this.#isOver) return;
    if (this.requestId !== undefined) {
      const message =
        'The server process that worked on this request has ended. It is not known whether the work was done.';
      this.sink.write(errorText(this.requestId, { rpcCode: JsonRpcCode.internalError, message }));
    }
    this.stop();
  }
}

/** How many milliseconds the store may take. Meanwhile, what the stream sends is held in memory. */
const READ_MS = 3_000;

/** The events that followed one of them on its stream. An answer that takes too long is an error. */
export function missedEvents(
  { store, key, clock }: StreamOwner,
  stream: string,
  lastEventId: string,
): MaybePromise<readonly StoredEvent[]> {
  const missed = store?.after(key, stream, lastEventId) ?? [];
  const tooLate = () => new Error(`The store of events took longer than ${READ_MS} ms.`);
  return isPromise(missed) ? within(missed, { clock, ms: READ_MS, tooLate }) : missed;
}
