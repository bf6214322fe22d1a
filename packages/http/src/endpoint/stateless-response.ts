import {
  AnswerPause,
  Cancellation,
  type ResponseChannel,
  type Peer,
  type Reply,
} from '@toolwright/core/transport';
import type { Exchange } from './exchange.js';
import type { Endpoint } from './http-call.js';
import { sendReply } from './respond.js';
import { SseStream } from './sse-stream.js';

/**
 * A request of 2026-07-28. It is answered with JSON, or with a stream as soon as a message must be sent
 * before the answer.
 */
export class StatelessResponse implements ResponseChannel {
  readonly cancellation = new Cancellation();
  #stream: SseStream | undefined;
  #pause: AnswerPause | undefined;

  constructor(
    readonly peer: Peer,
    private readonly exchange: Exchange,
    private readonly endpoint: Endpoint,
  ) {}

  send(text: string): void {
    if (this.cancellation.aborted) return;
    (this.#stream ??= new SseStream(this.exchange, this.endpoint.sse)).write(text);
    (this.#pause ??= new AnswerPause()).note(text);
  }

  /** Named in challenges. */
  get resourceMetadata(): string | undefined {
    return this.endpoint.settings.resourceMetadata;
  }

  /** The client cancels by disconnecting: from a stream, or from a connection that still waits for JSON. */
  watch(): void {
    const { exchange, cancellation } = this;
    exchange.whenClosed((early) => {
      if (early) cancellation.abort(new Error('The client has disconnected.'));
    });
  }

  finish(reply: Reply | undefined): void {
    const stream = this.#stream;
    if (stream) {
      this.#pause!.before(() => {
        if (reply) stream.write(reply.text);
        stream.close();
      });
    } else if (!reply) {
      this.exchange.drop();
    } else if (reply.scopes || reply.retryAfterMs !== undefined) {
      sendReply(this.exchange, reply, this);
    } else {
      this.exchange.sendJson(reply.status, reply.text);
    }
  }
}
