import type { ReaderOutlet } from '@toolwright/core/transport';

const encoder = new TextEncoder();

/**
 * An answer that is a `ReadableStream`. It hands over nothing that the client has not asked for, so what waits has the
 * same size in every runtime.
 */
export class WebStreamWriter implements ReaderOutlet {
  readonly stream: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  /** What the client has not asked for. */
  #part: Uint8Array | undefined;
  #state: 'open' | 'ending' | 'abandoned' | 'closed' = 'open';
  /** Present while the client waits for more. */
  #pulled: (() => void) | undefined;
  /** Present while a part waits here. */
  #taken: (() => void) | undefined;

  /** @param onClosed gets true when the client has gone before everything was sent */
  constructor(private readonly onClosed: (early: boolean) => void) {
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: () =>
          new Promise<void>((resolve) => {
            this.#pulled = resolve;
            this.#deliver();
            const taken = this.#taken;
            this.#taken = undefined;
            taken?.();
          }),
        cancel: () => this.#close(true),
      },
      { highWaterMark: 0 },
    );
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  write(part: string | Uint8Array, taken: () => void): boolean {
    if (this.#state !== 'open') return true;
    // Whoever reads a chunk owns its memory.
    this.#part = typeof part === 'string' ? encoder.encode(part) : new Uint8Array(part);
    this.#deliver();
    if (!this.#part) return true;
    this.#taken = taken;
    return false;
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
    this.#part = undefined;
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
    if (this.#part && this.#pulled) {
      const part = this.#part;
      this.#part = undefined;
      this.#controller.enqueue(part);
      this.#answerPull();
    }
    if (this.#state === 'ending' && !this.#part) {
      this.#controller.close();
      this.#close(false);
    }
  }

  #close(early: boolean): void {
    this.#state = 'closed';
    this.#part = undefined;
    this.#answerPull();
    this.onClosed(early);
  }

  #answerPull(): void {
    const answer = this.#pulled;
    this.#pulled = undefined;
    answer?.();
  }
}
