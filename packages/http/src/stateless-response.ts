import type { ServerResponse } from 'node:http';
import {
  AnswerPause,
  Cancellation,
  type ResponseChannel,
  type Peer,
  type Reply,
} from '@toolwright/core/transport';
import type { Endpoint } from './endpoint.js';
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
    private readonly res: ServerResponse,
    private readonly endpoint: Endpoint,
  ) {}

  send(text: string): void {
    if (this.cancellation.aborted) return;
    (this.#stream ??= new SseStream(this.res, this.endpoint.sse)).write(text);
    (this.#pause ??= new AnswerPause()).note(text);
  }

  /** Named in challenges. */
  get resourceMetadata(): string | undefined {
    return this.endpoint.settings.resourceMetadata;
  }

  /** The client cancels by disconnecting: from a stream, or from a connection that still waits for JSON. */
  watch(): void {
    const { res, cancellation } = this;
    res.once('close', () => {
      if (!res.writableFinished) cancellation.abort(new Error('The client has disconnected.'));
    });
  }

  finish(reply: Reply | undefined): void {
    const stream = this.#stream;
    if (stream) {
      this.#pause!.before(() => {
        if (reply) stream.write(reply.text);
        stream.close();
      });
    } else if (reply) {
      sendReply(this.res, reply, this);
    } else {
      this.res.destroy();
    }
  }
}
