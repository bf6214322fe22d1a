import { AsyncLocalStorage } from 'node:async_hooks';
import { type ListCapability, listCapabilities } from '@toolwright/ground/base/operation-kinds';
import type { Principal } from '@toolwright/ground/base/request-context';
import type { EventBus, ServerEvent } from '@toolwright/ground/ports/event-bus';
import type { Logger } from '@toolwright/ground/ports/logger';
import type { Audiences } from './audiences.js';

/** A listener for changes. */
export interface Subscriber {
  /** Who it is. This may change while a session lasts, because its client may come with another token. */
  readonly principal: Principal | undefined;
  /** True when it asked for changes of this resource, and may read it now. */
  watches(uri: string): boolean;
  hear(event: ServerEvent): void;
  /** Is called when the server stops, so that the listener can send its final result. */
  end(): void;
}

/** Passes each change to all listeners, through one subscription to the bus. */
export class Subscriptions {
  readonly #subscribers = new Set<Subscriber>();
  /** Rules of the application that are asked here do not run in the context of the request that made the change. */
  readonly #atBoot = AsyncLocalStorage.snapshot();
  #unsubscribe: (() => void) | undefined;
  /** A change of a list, and what came after it. The listeners hear of it at the end of this turn. */
  #waiting: ServerEvent[] = [];

  constructor(
    private readonly ports: {
      readonly bus: EventBus;
      readonly logger: Logger;
      readonly audiences: Audiences;
      /** False when clients hear of no changes. */
      readonly sendsChanges: boolean;
    },
  ) {}

  /** Adds a listener. The returned function removes it, without calling `end`. */
  add(subscriber: Subscriber): () => void {
    if (!this.ports.sendsChanges) return () => undefined;
    this.#unsubscribe ??= this.ports.bus.subscribe((event) => this.#pass(event));
    this.#subscribers.add(subscriber);
    return () => this.remove(subscriber);
  }

  /** Whether a listener of this process asked for changes of this resource, and may read it now. */
  isWatched(uri: string): boolean {
    return [...this.#subscribers].some((subscriber) => subscriber.watches(uri));
  }

  /** Passes a change to the listeners of this process alone, as if the bus had brought it. */
  tellHere(event: ServerEvent): void {
    this.#atBoot(() => this.#pass(event));
  }

  endAll(): void {
    this.#passWaiting();
    for (const subscriber of [...this.#subscribers]) {
      this.remove(subscriber);
      subscriber.end();
    }
  }

  /** Removes a listener, without calling its `end`. */
  remove(subscriber: Subscriber): void {
    this.#passWaiting();
    this.#subscribers.delete(subscriber);
    if (this.#subscribers.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  #pass(event: ServerEvent): void {
    // There are many, each for one session or one question, and every session listens here.
    if (event.type === 'sessionMessage' || event.type === 'audienceMessage') return;
    if (isListChange(event.type)) {
      // Each of these makes every client read the list again, so all changes of one turn are one.
      if (this.#waiting.some(({ type }) => type === event.type)) return;
      if (this.#waiting.push(event) === 1) setImmediate(() => this.#passWaiting());
    } else if (this.#waiting.length > 0) this.#waiting.push(event);
    else this.#passNow(event);
  }

  #passWaiting(): void {
    const events = this.#waiting;
    this.#waiting = [];
    for (const event of events) this.#passNow(event);
  }

  #passNow(event: ServerEvent): void {
    if (event.type === 'resourceUpdatedFor') return this.#passToSome(event);
    for (const each of [...this.#subscribers]) this.#tell(each, (subscriber) => subscriber.hear(event));
  }

  #passToSome({ uri, ...wanted }: ServerEvent & { type: 'resourceUpdatedFor' }): void {
    const watching: Subscriber[] = [];
    for (const each of this.#subscribers)
      this.#tell(each, (subscriber) => subscriber.watches(uri) && watching.push(subscriber));
    if (watching.length === 0) return;
    this.ports.audiences.choose(watching, wanted, (chosen) => {
      // It may have left while another process was asked.
      if (!this.#subscribers.has(chosen)) return;
      this.#tell(chosen, (subscriber) => subscriber.hear({ type: 'resourceUpdated', uri }));
    });
  }

  /** A rule of the application that fails for one listener must not take the event from the others. */
  #tell(subscriber: Subscriber, tell: (subscriber: Subscriber) => unknown): void {
    try {
      tell(subscriber);
    } catch (err) {
      this.ports.logger.error(
        { err },
        'A client has not heard of a change, because a rule of the application failed',
      );
    }
  }
}

export type ListChange = `${ListCapability}ListChanged`;

/** The notification for a change. */
export const changeNotifications = Object.fromEntries(
  listCapabilities.map((capability) => [
    `${capability}ListChanged`,
    { method: `notifications/${capability}/list_changed`, capability },
  ]),
) as Readonly<Record<ListChange, { readonly method: string; readonly capability: ListCapability }>>;

export const listChanges = Object.keys(changeNotifications) as readonly ListChange[];

export const RESOURCE_UPDATED = 'notifications/resources/updated';

export function isListChange(type: string): type is ListChange {
  return Object.hasOwn(changeNotifications, type);
}
