import type { OpenChannel, WireMessage } from '@toolwright/client';
import { CommandError } from '@toolwright/operate/terminal';
import type { Readable } from 'node:stream';

/** What a command takes from a server before it gives up. The server may be broken, or somebody's trap. */
export interface RemoteLimits {
  /** Milliseconds without a message while an answer is awaited; 0 waits for ever. */
  readonly timeout: number;
  /** Bytes in all answers together. */
  readonly maxBytes: number;
  /** Pages of one list. */
  readonly maxPages: number;
}

export const defaultLimits: RemoteLimits = { timeout: 60_000, maxBytes: 64 * 2 ** 20, maxPages: 1_000 };

/** Counts the bytes of a server over all its answers. */
export class ByteBudget {
  #left: number;

  constructor(private readonly max: number) {
    this.#left = max;
  }

  /** @throws {CommandError} when the server has sent more than it may */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0)
      throw new CommandError(
        `The server sent more than ${this.max} bytes. If you want that much, pass --max-bytes.`,
      );
  }
}

/** A longer line of a log is shown in pieces. */
export const LONGEST_SHOWN = 65_536;

/**
 * Cuts a stream into lines, and keeps no more than one of them. Timers and signals get a turn after each chunk: Node.js reads
 * dozens of chunks in one turn, and the short lines of a flood take seconds there.
 */
export function eachLine(
  stream: Readable,
  { line, heard, cut = Infinity }: { line(text: string): void; heard?(bytes: number): void; cut?: number },
): void {
  const decoder = new TextDecoder();
  // Pieces of the line that has not ended. Joined only at its end: adding up texts would cost the square of its length.
  let held: string[] = [];
  let length = 0;
  const flush = () => {
    const text = held.join('');
    held = [];
    length = 0;
    line(text.endsWith('\r') ? text.slice(0, -1) : text);
  };
  const add = (text: string) => {
    held.push(text);
    length += text.length;
    if (length >= cut) flush();
  };
  stream.on('data', (chunk: Buffer) => {
    stream.pause();
    setImmediate(() => stream.resume());
    heard?.(chunk.length);
    const [first = '', ...rest] = decoder.decode(chunk, { stream: true }).split('\n');
    if (first !== '') add(first);
    for (const next of rest) {
      flush();
      if (next !== '') add(next);
    }
  });
  stream.on('end', () => length > 0 && flush());
}

/** What ends the wait for an answer. */
export interface Patience {
  /** Milliseconds without a message; 0 waits for ever. */
  readonly ms: number;
  /** The person does not want to wait any more. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Ends the wait for a server that says nothing, and cancels what it works on. The clock stops while a person answers a
 * question, and each message of the server starts it again.
 */
export function impatient(open: OpenChannel, { ms, signal }: Patience): OpenChannel {
  return async (receive) => {
    const watch = new SilenceWatch(ms);
    const channel = await open((message) => {
      watch.hear(message);
      receive(message);
    });
    const cancel = (reason: Error) => {
      for (const requestId of watch.giveUp(reason))
        void (async () =>
          channel.send({
            jsonrpc: '2.0',
            method: 'notifications/cancelled',
            params: { requestId, reason: reason.message },
          }))().catch(() => undefined);
    };
    watch.cancel = cancel;
    signal?.addEventListener('abort', () => cancel(signal.reason as Error));
    return {
      send: async (message) => {
        signal?.throwIfAborted();
        await watch.during(message, async () => channel.send(message));
      },
      negotiated: (revision) => channel.negotiated?.(revision),
      close: () => channel.close(),
    };
  };
}

class SilenceWatch {
  /** Is called when the server has said nothing for too long. */
  cancel: (reason: Error) => void = () => undefined;
  /** Our requests and notifications that wait, each with the function that gives them up. A notification has no id. */
  readonly #waiting = new Map<string | number | symbol, { method: string; giveUp(reason: Error): void }>();
  /** Questions of the server that a person is answering. */
  readonly #asked = new Set<unknown>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly ms: number) {}

  hear({ id, method }: WireMessage): void {
    if (method === undefined) this.#waiting.delete(id!);
    else if (id !== undefined) this.#asked.add(id);
    this.#wind();
  }

  async during({ id, method }: WireMessage, send: () => Promise<void>): Promise<void> {
    if (method === undefined) {
      this.#asked.delete(id);
      this.#wind();
      return send();
    }
    const key = id ?? Symbol(method);
    const silence = new Promise<never>((_resolve, reject) =>
      this.#waiting.set(key, { method, giveUp: reject }),
    );
    this.#wind();
    try {
      await Promise.race([send(), silence]);
    } finally {
      this.#waiting.delete(key);
      this.#wind();
    }
  }

  /**
   * Gives up all that waits.
   *
   * @returns the ids of those to cancel. A handshake must not be cancelled (2025-11-25, basic/utilities/cancellation)
   */
  giveUp(reason: Error): (string | number)[] {
    const waiting = [...this.#waiting];
    for (const [, { giveUp }] of waiting) giveUp(reason);
    return waiting.flatMap(([id, { method }]) =>
      method === 'initialize' || typeof id === 'symbol' ? [] : [id],
    );
  }

  #wind(): void {
    clearTimeout(this.#timer);
    if (this.ms === 0 || this.#waiting.size === 0 || this.#asked.size > 0) return;
    this.#timer = setTimeout(() => {
      this.cancel(
        new CommandError(
          `The server has said nothing for ${this.ms / 1_000} s. To wait longer, pass --timeout.`,
        ),
      );
    }, this.ms);
  }
}
