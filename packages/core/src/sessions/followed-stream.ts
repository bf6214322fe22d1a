import { JsonRpcCode } from '../base/errors/errors.js';
import { type MaybePromise, isPromise } from '../base/maybe-promise.js';
import type { RequestId } from '../base/request-context.js';
import { within } from '../call/limits/timed-store.js';
import type { StoredEvent } from '../ports/event-store.js';
import { errorText } from '../wire/json-rpc.js';
import type { EventSink, StreamOwner } from './event-stream.js';

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
