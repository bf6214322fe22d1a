import { AsyncLocalStorage } from 'node:async_hooks';
import { EventOutbox, type KeptEvent, type OutgoingEvent } from './event-outbox.js';

/** The timers of a clock. */
export interface Timers {
  /** @returns cancels */
  after(ms: number, run: () => void): () => void;
}

/** How events reach a store outside of the process. */
export interface EventRoute {
  /** What keeps the events, for errors. */
  readonly name: string;
  /** How many sessions get their waiting events stored at a time. */
  readonly atOnce: number;
  /** True where events arrive in the order in which they are sent. Elsewhere the events of a session go one by one. */
  readonly inOrder: boolean;
  readonly clock: Timers;
  readonly isUp: boolean;
  /** Makes the error that says that the store is away. */
  away(message: string): Error;
}

/** How long to wait after an event that the store has refused. */
const AGAIN_MS = 250;
/** More sessions than a process can have. The set must have some bound. */
const MOST_TORN = 100_000;

/**
 * An `EventStore` that keeps the events of a session outside of the process, in the order in which this process appends them. What
 * the store could not take waits.
 */
export abstract class OrderedEvents {
  readonly #outbox = new EventOutbox();
  /**
   * Sessions of which an event was lost. A replay across it would have a hole, so the next event that is
   * stored replaces all earlier ones. A session leaves this set then, or when it ends.
   */
  readonly #torn = new Set<string>();
  /** The sessions whose waiting events are being stored. */
  readonly #emptying = new Map<string, Promise<boolean>>();
  /** What is stored together comes from several requests, so it is stored in the context of none. */
  readonly #atBoot = AsyncLocalStorage.snapshot();
  #triesAgain = false;
  #isClosed = false;

  constructor(private readonly route: EventRoute) {}

  /** @param isKnown true when the event may be there already */
  protected abstract store(event: OutgoingEvent, isKnown: boolean): Promise<void>;
  protected abstract forget(session: string): Promise<unknown>;

  async append(session: string, stream: string, { id, text, last }: KeptEvent): Promise<void> {
    const replacesAll = this.#torn.delete(session);
    const event: OutgoingEvent = { session, stream, id, text, ...(last && { last }), replacesAll };
    // Nothing overtakes what waits.
    if (!this.route.inOrder || this.#outbox.holds(session) || !this.route.isUp) return this.#wait(event);
    try {
      await this.store(event, false);
    } catch {
      await this.#wait(event);
    }
  }

  async drop(session: string): Promise<void> {
    this.#torn.delete(session);
    try {
      await this.forget(session);
    } catch {
      // Nobody waits for it, and the events end by themselves.
    }
  }

  /** Stores what waits. Events of a session must not overtake each other; sessions may. */
  empty(): void {
    for (const session of this.#outbox.sessions) {
      if (this.#emptying.size >= this.route.atOnce) return;
      if (!this.#emptying.has(session))
        this.#emptying.set(
          session,
          this.#atBoot(() => this.#empty(session)),
        );
    }
  }

  /** What is on its way arrives, as long as the store takes it. @returns `undefined` when there is nothing */
  close(): Promise<void> | undefined {
    this.#isClosed = true;
    const [waiting] = this.#outbox.sessions;
    return waiting === undefined ? undefined : this.#finish();
  }

  async #finish(): Promise<void> {
    for (let [way] = this.#emptying.values(); way && (await way); [way] = this.#emptying.values());
    this.#outbox.clear(this.route.away(this.#ended));
  }

  get #ended(): string {
    return `The server has ended before ${this.route.name} was back.`;
  }

  /** False when the store did not take all. */
  async #empty(session: string): Promise<boolean> {
    const isEmpty = await this.#storeAll(session);
    this.#emptying.delete(session);
    if (isEmpty) this.empty();
    else this.#tryAgain();
    return isEmpty;
  }

  async #storeAll(session: string): Promise<boolean> {
    try {
      for (let event = this.#outbox.first(session); event; event = this.#outbox.first(session)) {
        // An answer that came too late leaves open whether the event is there.
        await this.store(event, true);
        this.#outbox.shift(session);
      }
      return true;
    } catch {
      return false;
    }
  }

  /** The store may refuse events for a while, for example when it is full. After an outage, `empty` is called again. */
  #tryAgain(): void {
    if (this.#triesAgain || this.#isClosed || !this.route.isUp) return;
    this.#triesAgain = true;
    this.route.clock.after(AGAIN_MS, () => {
      this.#triesAgain = false;
      this.empty();
    });
  }

  /** @throws the error of `away` when there is no room for the event */
  async #wait(event: OutgoingEvent): Promise<void> {
    const stored = this.#isClosed ? undefined : this.#outbox.add(event);
    if (!stored) {
      this.#tear(event.session);
      throw this.route.away(this.#isClosed ? this.#ended : `Too many events wait for ${this.route.name}.`);
    }
    if (this.route.isUp) this.empty();
    await stored;
  }

  #tear(session: string): void {
    if (this.#torn.size >= MOST_TORN) this.#torn.delete(this.#torn.values().next().value!);
    this.#torn.add(session);
  }
}
