import type { Clock } from '@toolwright/ground/ports/clock-and-ids';
import type { Logger } from '@toolwright/ground/ports/logger';
import { oneLine } from '@toolwright/json';
import type { Peer } from '@toolwright/wire/response-channel';
import { quotaOwnerOf } from '../quota-pool.js';
import { ReaderPool, type SlowReader } from './reader-pool.js';

/** The connection to a reader. */
export interface ReaderOutlet {
  /** False when nothing more can be sent. */
  readonly isOpen: boolean;
  /**
   * Sends a part, which is UTF-8.
   *
   * @param taken is called once if the result is false, as soon as the reader has taken this part
   * @returns false when nothing more should be sent before that
   */
  write(part: string | Uint8Array, taken: () => void): boolean;
  /** Ends the answer. What was written is still sent. */
  end(): void;
  /** Ends the connection. What waits is lost. */
  cut(): void;
}

export interface ReaderSettings {
  /** How many bytes may wait for all readers of the process together. */
  readonly maxUnreadBytes: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Texts up to this length are sent as they are. Longer ones are sent in pieces, because a reader is seen to read only
 * when it has taken a whole piece.
 */
export const PIECE_LENGTH = 262_144;

/** Memory belongs to the process, whatever servers and transports it has. */
const pool = new ReaderPool();

/**
 * What is written for one reader, in order. Each writer of a stream uses it, so that all bound what waits in the same
 * way. A text that the reader takes at once passes straight on.
 */
export class ReaderQueue implements SlowReader {
  /** What waits here, in order. */
  readonly #kept: Buffer[] = [];
  /** Short texts that wait behind all others. */
  #tail = '';
  #keptBytes = 0;
  /** What was sent, and is not taken. */
  #sentBytes = 0;
  messages = 0;
  #isEnding = false;
  #isGone = false;
  #owner: string | undefined;
  readonly #taken = () => this.#continue();

  /** @param onIdle is called when nothing waits any more */
  constructor(
    private readonly outlet: ReaderOutlet,
    private readonly settings: ReaderSettings & { readonly onIdle?: () => void },
    private readonly peer: Pick<Peer, 'principal' | 'ip' | 'transport'>,
  ) {}

  get isOpen(): boolean {
    return !this.#isGone && !this.#isEnding && this.outlet.isOpen;
  }

  /** How many bytes wait for the reader. */
  get waiting(): number {
    return this.#keptBytes + this.#sentBytes;
  }

  /** True when so much waits that messages which may be joined should be. */
  get isBehind(): boolean {
    return this.waiting > PIECE_LENGTH;
  }

  get owner(): string {
    if (this.#owner === undefined) {
      const { anonymous, key } = quotaOwnerOf(this.peer);
      this.#owner = `${anonymous ? 'address' : 'principal'} ${key}`;
    }
    return this.#owner;
  }

  get maxUnreadBytes(): number {
    return this.settings.maxUnreadBytes;
  }

  get clock(): Clock {
    return this.settings.clock;
  }

  /**
   * Writes a message of a stream that is read line by line.
   *
   * @param before what the stream writes before the message
   * @param after what it writes after it
   */
  write(text: string, before = '', after = ''): void {
    this.writeAsIs(oneLine(text), before, after);
  }

  /** Writes a body that is read as a whole. */
  writeAsIs(text: string, before = '', after = ''): void {
    if (!this.isOpen) return;
    const hasWaited = this.waiting > 0;
    if (!hasWaited && text.length <= PIECE_LENGTH) {
      if (this.#send(before + text + after)) return;
    } else {
      for (const part of [before, text, after]) this.#keep(part);
      if (!hasWaited) this.#sendKept();
    }
    this.messages++;
    this.#note(false);
  }

  /** Ends the answer, after what waits. */
  end(): void {
    if (!this.isOpen) return;
    this.#isEnding = true;
    if (this.#keptBytes === 0) this.outlet.end();
  }

  /** The connection has ended. Nothing waits any more. */
  release(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#kept.length = 0;
    this.#tail = '';
    this.#keptBytes = this.#sentBytes = 0;
    this.#note(false);
  }

  cut(quietMs: number): void {
    const { transport } = this.peer;
    const { maxUnreadBytes, logger } = this.settings;
    const fields = { transport, unreadBytes: this.waiting, quietMs, maxUnreadBytes };
    this.release();
    this.outlet.cut();
    logger.warn(fields, 'A client was cut off, because it did not read what was sent to it');
  }

  /**
   * Keeps bytes and not texts: V8 lets the heap grow to a multiple of what lives in it. Each piece has memory of its own,
   * which is free when the piece is sent.
   */
  #keep(text: string): void {
    for (let from = 0; from < text.length;) {
      let to = Math.min(text.length, from + PIECE_LENGTH);
      // Both halves of a surrogate pair belong to one piece: alone, each would become another character.
      if (to < text.length && (text.charCodeAt(to - 1) & 0xfc00) === 0xd800) to--;
      if (to - from + this.#tail.length > PIECE_LENGTH) this.#keepTail();
      this.#tail += text.slice(from, to);
      this.#keptBytes += to - from;
      from = to;
    }
    // A slice would hold the whole text.
    if (text.length > PIECE_LENGTH) this.#keepTail();
  }

  #keepTail(): void {
    const bytes = Buffer.from(this.#tail);
    this.#keptBytes += bytes.length - this.#tail.length;
    this.#tail = '';
    this.#kept.push(bytes);
  }

  #continue(): void {
    if (this.#isGone) return;
    this.#sentBytes = 0;
    this.#sendKept();
    this.#note(true);
    if (this.#isEnding && this.#keptBytes === 0) this.outlet.end();
  }

  #sendKept(): void {
    while (this.#keptBytes > 0 && this.#sentBytes === 0) {
      if (this.#kept.length === 0) this.#keepTail();
      const piece = this.#kept.shift()!;
      this.#keptBytes -= piece.length;
      this.#send(piece);
    }
  }

  /** @returns false when the reader has to read this before more is sent */
  #send(part: string | Buffer): boolean {
    if (this.outlet.write(part, this.#taken)) return true;
    this.#sentBytes = Math.max(1, part.length);
    return false;
  }

  #note(hasTaken: boolean): void {
    const { waiting } = this;
    if (waiting === 0) this.messages = 0;
    pool.note(this, waiting, hasTaken);
    if (waiting === 0) this.settings.onIdle?.();
  }
}
