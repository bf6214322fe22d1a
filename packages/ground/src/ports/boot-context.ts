import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, monotonic } from './clock-and-ids.js';
import type { EventBus } from './event-bus.js';

/**
 * The asynchronous context in which the server was created. An `AsyncLocalStorage` follows promises and timers, so
 * work that a request happens to wake up would run with the store of that request: another caller's tenant, token or
 * span. Work that belongs to no single request runs in this context.
 */
export class BootContext {
  /** Runs something in this context. */
  readonly run: <T>(work: () => T) => T = AsyncLocalStorage.snapshot();

  /** The function, always called in this context. */
  bind<Given extends unknown[], T>(work: (...given: Given) => T): (...given: Given) => T {
    return (...given) => this.run(() => work(...given));
  }

  /** The clock, with timers that fire in this context. It is for timers that many requests share. */
  clock(clock: Clock): Clock {
    return {
      now: () => clock.now(),
      monotonic: () => monotonic(clock),
      after: (delayMs, run) => clock.after(delayMs, this.bind(run)),
    };
  }

  /** The bus, with listeners that are called in this context. In memory, the publisher would call them in its own. */
  bus(bus: EventBus): EventBus {
    return {
      publish: (event) => bus.publish(event),
      subscribe: (listener) => bus.subscribe(this.bind(listener)),
    };
  }
}
