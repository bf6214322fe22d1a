import {
  Mailbox,
  type WorkerQuestion,
  type ToPrimary,
  type ToWorker,
  openEnvelope,
} from '../link/messages.js';

/** How a process reaches another one. */
export interface PrimaryChannel {
  send(envelope: object): void;
  listen(hear: (envelope: unknown) => void): void;
}

type Orders = Exclude<ToWorker, readonly ['answer' | 'fault', ...unknown[]]>;
type Hear<Kind extends Orders[0]> =
  Extract<Orders, readonly [Kind, ...unknown[]]> extends readonly [unknown, ...infer Args]
    ? (...args: Args) => void
    : never;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The way of a worker to the primary process. Questions are answered in the order in which they are asked. */
export class PrimaryLink {
  readonly #mailbox: Mailbox<ToPrimary>;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, (...args: never[]) => void>();
  #asked = 0;

  constructor(channel: PrimaryChannel) {
    this.#mailbox = new Mailbox((envelope) => channel.send(envelope));
    channel.listen((envelope) => openEnvelope<ToWorker>(envelope).forEach((message) => this.#hear(message)));
  }

  /** @param read is called with the answer before the next message is heard, which may build on it */
  ask<Answer, Result = Answer>(
    question: WorkerQuestion,
    read: (answer: Answer) => Result = (answer) => answer as unknown as Result,
  ): Promise<Result> {
    const id = ++this.#asked;
    this.#mailbox.post(['ask', id, question]);
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.set(id, { resolve: (answer) => resolve(read(answer as Answer)), reject });
    });
  }

  post(message: ToPrimary): void {
    this.#mailbox.post(message);
  }

  /** Sends now what would go at the end of this turn. */
  flush(): void {
    this.#mailbox.flush();
  }

  /** There is one listener for each kind. */
  on<Kind extends Orders[0]>(kind: Kind, hear: Hear<Kind>): void {
    this.#listeners.set(kind, hear as (...args: never[]) => void);
  }

  #hear(message: ToWorker): void {
    if (message[0] === 'answer') return this.#settle(message[1], ({ resolve }) => resolve(message[2]));
    if (message[0] === 'fault')
      return this.#settle(message[1], ({ reject }) => reject(new Error(message[2])));
    const [kind, ...args] = message;
    (this.#listeners.get(kind) as ((...args: unknown[]) => void) | undefined)?.(...args);
  }

  #settle(id: number, settle: (waiting: Waiting) => void): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting) settle(waiting);
  }
}
