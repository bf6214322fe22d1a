import type {
  Cancellable,
  CancellationObserver,
  Principal,
  TraceContext,
} from '@toolwright/ground/base/request-context';
import type { BoundOperation } from '@toolwright/ground/call/operation/operation';

/** The other end of a channel, as the transport knows it. */
export interface Peer {
  readonly principal: Principal | undefined;
  readonly ip: string | undefined;
  readonly transport: 'http' | 'stdio' | 'memory';
  /** The W3C trace context of the transport itself: HTTP headers. */
  readonly trace?: TraceContext | undefined;
}

/**
 * One request as its transport sees it: who asks, how to send a message before the answer, and whether the
 * request was cancelled.
 */
export interface ResponseChannel {
  readonly peer: Peer;
  readonly cancellation: Cancellation;
  /** True while much of what was sent waits for the client. Messages that may be joined should be then. */
  readonly isBehind?: boolean | undefined;
  /** Sends a message that belongs to the request, before its answer. */
  send(text: string): void;
  /** Learns what a request is about that does not name it, such as one for a task. Present while messages are observed. */
  isAbout?: ((operation: BoundOperation | undefined) => void) | undefined;
}

/**
 * Tells whether a request was cancelled. It makes an `AbortSignal` only when somebody asks for one: most
 * calls end before that, and an AbortController costs more than all other bookkeeping of a small call.
 */
export class Cancellation implements Cancellable {
  aborted = false;
  reason: unknown;
  #controller: AbortController | undefined;
  /** Nearly always one: the deadline of the call. */
  #observers: readonly CancellationObserver[] = [];

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const observer of this.#observers) observer.cancel(reason);
    this.#controller?.abort(reason);
  }

  watch(observer: CancellationObserver): void {
    this.#observers = [...this.#observers, observer];
  }

  unwatch(observer: CancellationObserver): void {
    this.#observers = this.#observers.filter((each) => each !== observer);
  }
}

/**
 * The milliseconds between a progress notification and the answer to its request.
 *
 * The official client handles the messages of a chunk one after the other, but tells its listener about
 * progress a moment later. If the answer is in the same chunk, it has removed the listener by then. Progress
 * from the official server is lost in the same way. Measured over stdio, with calls that report progress
 * three times: 92 of 100 calls lost all of it, and 4 of 100 with a pause of a millisecond.
 */
export const ANSWER_PAUSE_MS = 1;

/** The length from which an answer is never in the chunk of what was sent before it. Connections are read in less. */
const LONG_ANSWER = 262_144;
const PROGRESS = '{"jsonrpc":"2.0","method":"notifications/progress"';
/** The beginning of an answer, as `reply.ts` writes it. */
const ANSWER = /^\{"jsonrpc":"2\.0","id":(?:[^",]+|"(?:[^"\\]|\\.)*"),"(?:result|error)":/;

/** Remembers when progress was last sent, to keep the answer out of the same chunk. */
export class AnswerPause {
  #sentAt = Number.NEGATIVE_INFINITY;

  /** Notes a message that is being sent. */
  note(text: string): void {
    if (text.startsWith(PROGRESS)) this.#sentAt = performance.now();
  }

  /**
   * Runs `answer` at once, or after the pause if progress was sent just before.
   *
   * @param length of the answer. A long one would wait where nobody counts its memory, and needs no pause
   */
  before(answer: () => void, length: number): void {
    if (length > LONG_ANSWER || this.#isDue()) answer();
    else setTimeout(answer, ANSWER_PAUSE_MS);
  }

  /** Sends the messages of a connection: answers after the pause, all others at once. */
  over(send: (text: string) => void): (text: string) => void {
    return (text) => {
      this.note(text);
      if (this.#isDue() || !ANSWER.test(text)) send(text);
      else this.before(() => send(text), text.length);
    };
  }

  #isDue(): boolean {
    return performance.now() - this.#sentAt >= ANSWER_PAUSE_MS;
  }
}
