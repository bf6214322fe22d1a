import type { Readable, Writable } from 'node:stream';
import { type Peer, type ReaderOutlet, ReaderQueue, type ReaderSettings } from '@toolwright/core/transport';

/** How many bytes may wait until the client reads them, before its next requests wait, too. */
const MAX_UNREAD_BYTES = 1_048_576;

interface LineWriterSettings extends ReaderSettings {
  readonly output: Writable;
  readonly input: Readable;
  readonly peer: Peer;
}

/** Writes one message per line. While the client does not read, it reads no more input. */
export class LineWriter {
  /** The messages of this turn of the event loop, which are written together: as one text, that costs least. */
  private waiting = '';
  readonly #queue: ReaderQueue;
  readonly #output: Writable;
  readonly #input: Readable;
  #pauses = false;
  /** Who waits until the client has taken everything. */
  #flushed: (() => void)[] = [];

  constructor({ output, input, peer, ...settings }: LineWriterSettings) {
    this.#output = output;
    this.#input = input;
    const onIdle = () => this.#resume();
    this.#queue = new ReaderQueue(new LineOutlet(output, input), { ...settings, onIdle }, peer);
    output.once('close', () => this.#queue.release());
  }

  get isBehind(): boolean {
    return this.#queue.isBehind;
  }

  write(text: string): void {
    if (!this.#queue.isOpen) return;
    if (this.waiting === '') setImmediate(passOn, this);
    this.waiting += `${text}\n`;
    // A character is at least a byte.
    if (this.#queue.waiting + this.waiting.length > MAX_UNREAD_BYTES) this.#waitForReader();
  }

  /** Resolves when everything was handed to the output. */
  async flush(): Promise<void> {
    this.passOn();
    if (this.#queue.waiting > 0) await new Promise<void>((resolve) => this.#flushed.push(resolve));
    if (!this.#queue.isOpen) return;
    await new Promise<void>((resolve) => this.#output.write('', () => resolve()));
  }

  /** Hands over what waits. */
  passOn(): void {
    const { waiting } = this;
    this.waiting = '';
    if (waiting !== '') this.#queue.write(waiting);
  }

  /** Stops reading: the answers to further requests would pile up without a limit. */
  #waitForReader(): void {
    this.passOn();
    if (this.#queue.waiting === 0 || this.#input.isPaused()) return;
    this.#pauses = true;
    this.#input.pause();
  }

  #resume(): void {
    if (this.#pauses) this.#input.resume();
    this.#pauses = false;
    for (const resolve of this.#flushed.splice(0)) resolve();
  }
}

const passOn = (writer: LineWriter) => writer.passOn();

class LineOutlet implements ReaderOutlet {
  constructor(
    private readonly output: Writable,
    private readonly input: Readable,
  ) {}

  get isOpen(): boolean {
    return this.output.writable;
  }

  write(part: string | Uint8Array, taken: () => void): boolean {
    if (this.output.write(part)) return true;
    this.output.once('drain', taken);
    return false;
  }

  end(): void {
    this.output.end();
  }

  /** The output may be that of the process, which cannot be closed. Without input, the connection ends. */
  cut(): void {
    this.input.destroy();
  }
}
