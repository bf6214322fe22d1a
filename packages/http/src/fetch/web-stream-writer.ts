import type { StreamWriter } from '../endpoint/exchange.js';

const encoder = new TextEncoder();

/**
 * An answer that is a `ReadableStream`. What the client has not asked for yet waits here as one text, so its
 * size is known in every runtime.
 */
export class WebStreamWriter implements StreamWriter {
  readonly stream: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #text = '';
  #state: 'open' | 'ending' | 'abandoned' | 'closed' = 'open';
  /** Present while the client waits for more. */
  #pulled: (() => void) | undefined;

  /** @param onClosed gets true when the client has gone before everything was sent */
  constructor(private readonly onClosed: (early: boolean) => void) {
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: () =>
          new Promise<void>((resolve) => {
            this.#pulled = resolve;
            this.#deliver();
          }),
        cancel: () => this.#close(true),
      },
      { highWaterMark: 0 },
    );
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  get waiting(): number {
    return this.#text.length;
  }

  write(text: string): void {
    if (this.#state !== 'open') return;
    this.#text += text;
    this.#deliver();
  }

  end(): void {
    if (this.#state !== 'open') return;
    this.#state = 'ending';
    this.#deliver();
  }

  cut(): void {
    if (this.#state === 'closed') return;
    this.#controller.error(new Error('The stream was cut off.'));
    this.#close(true);
  }

  /**
   * Ends without the rest, since the signal of the request was aborted. There is no error: runtimes would print
   * it for each client that leaves, or have nobody who catches it.
   *
   * @param onStillRead is called if somebody still reads. A runtime whose client has left cancels the stream in
   *   the same turn of the event loop.
   */
  abandon(onStillRead: () => void): void {
    if (this.#state === 'closed' || this.#state === 'abandoned') return;
    this.#state = 'abandoned';
    this.#text = '';
    this.onClosed(true);
    setImmediate(() => {
      if (this.#state === 'closed') return;
      this.#controller.close();
      this.#close(true);
      onStillRead();
    });
  }

  #deliver(): void {
    if (this.#state === 'closed') return;
    if (this.#text !== '' && this.#pulled) {
      const bytes = encoder.encode(this.#text);
      this.#text = '';
      this.#controller.enqueue(bytes);
      this.#answerPull();
    }
    if (this.#state === 'ending' && this.#text === '') {
      this.#controller.close();
      this.#close(false);
    }
  }

  #close(early: boolean): void {
    this.#state = 'closed';
    this.#text = '';
    this.#answerPull();
    this.onClosed(early);
  }

  #answerPull(): void {
    const answer = this.#pulled;
    this.#pulled = undefined;
    answer?.();
  }
}
