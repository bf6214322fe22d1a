import type { ServerResponse } from 'node:http';
import { Cancellation, type Exchange, type Peer, type Reply } from '@toolwright/core';
import type { Endpoint } from './endpoint.js';
import { sendReply } from './respond.js';
import { SseStream } from './sse-stream.js';

/** A request of 2026-07-28: answered with JSON, or with a stream as soon as something has to be said before. */
export class ModernExchange implements Exchange {
  readonly cancellation = new Cancellation();
  #stream: SseStream | undefined;

  constructor(
    readonly peer: Peer,
    private readonly res: ServerResponse,
    private readonly endpoint: Endpoint,
  ) {}

  send(text: string): void {
    if (this.cancellation.aborted) return;
    (this.#stream ??= new SseStream(this.res, this.endpoint.sse)).write(text);
  }

  /** The client cancels by going away: of a stream, or of a connection that still waits for JSON. */
  watch(): void {
    const { res, cancellation } = this;
    res.once('close', () => {
      if (!res.writableFinished) cancellation.abort(new Error('The client has disconnected.'));
    });
  }

  finish(reply: Reply | undefined): void {
    if (this.#stream) {
      if (reply) this.#stream.write(reply.text);
      this.#stream.close();
    } else if (reply) {
      sendReply(this.res, reply, this.endpoint.settings.resourceMetadata);
    } else {
      this.res.destroy();
    }
  }
}
