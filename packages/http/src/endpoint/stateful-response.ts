import {
  AnswerPause,
  Cancellation,
  type EventStream,
  type RequestId,
  type ResponseChannel,
  type Peer,
  type Session,
} from '@toolwright/core/transport';
import type { Exchange } from './exchange.js';
import { sendWhole } from './send-whole.js';
import { SseStream, type SseSettings } from './sse-stream.js';

/** How many milliseconds a client of 2025-11-25 should wait before it resumes a stream. */
const RETRY_MS = 1000;

interface StatefulSettings extends SseSettings {
  readonly primingEvent: boolean;
  /** The request that is answered. `undefined` for a batch. */
  readonly requestId: RequestId | undefined;
}

/**
 * A POST of the older era. There, a disconnect does not cancel anything. The work goes on, and the messages
 * of the stream are kept for a client that resumes it.
 */
export class StatefulResponse implements ResponseChannel {
  readonly cancellation = new Cancellation();
  #stream: EventStream | undefined;
  #sink: SseStream | undefined;
  #cancelPolling: (() => void) | undefined;
  readonly #pause = new AnswerPause();

  constructor(
    readonly peer: Peer,
    private readonly exchange: Exchange,
    private readonly session: Session,
    private readonly settings: StatefulSettings,
  ) {}

  send(text: string): void {
    (this.#stream ??= this.#open()).send(text);
    this.#pause.note(text);
  }

  get isBehind(): boolean {
    return this.#stream?.isBehind === true;
  }

  /** Answers with a stream, whatever messages follow. */
  stream(): void {
    this.#stream ??= this.#open();
  }

  /**
   * Lets go of the connection when the work takes longer. The client then resumes the stream (2025-11-25
   * polling).
   */
  pollAfter(milliseconds: number): void {
    this.#cancelPolling = this.settings.clock.after(milliseconds, () => {
      this.#stream ??= this.#open();
      if (this.#sink) this.#stream.detach(this.#sink);
      this.#sink?.close();
    });
  }

  /** @param texts the answers: none when all requests were cancelled, several for a batch */
  finish(texts: readonly string[], batch = false): void {
    const { exchange, session } = this;
    this.#cancelPolling?.();
    if (this.#stream || texts.length === 0) {
      const stream = (this.#stream ??= this.#open());
      this.#pause.before(
        () => {
          for (const text of texts) stream.send(text);
          session.streams.close(stream);
        },
        Math.max(...texts.map(({ length }) => length)),
      );
    } else {
      const text = batch ? `[${texts.join(',')}]` : texts[0]!;
      sendWhole(exchange, { status: 200, text }, { peer: this.peer, settings: this.settings });
    }
  }

  #open(): EventStream {
    const { exchange, session, settings } = this;
    const stream = session.streams.open(settings.requestId);
    if (exchange.isAnswered) return stream;
    const sink = (this.#sink = new SseStream(exchange, settings, this.peer));
    stream.attach(sink);
    exchange.whenClosed(() => stream.detach(sink));
    if (settings.primingEvent) {
      sink.writeRetry(RETRY_MS);
      stream.prime();
    }
    return stream;
  }
}
