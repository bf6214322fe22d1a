import { MisusedNextError } from '../../base/errors/misused-next-error.js';
import type { ActiveCall } from '../../call/active-call.js';
import { after, isPromise, type MaybePromise } from '../../base/maybe-promise.js';
import type { Next } from '../../call/operation/operation.js';
import type { PlannedStep } from '../guard.js';

/** One call in one middleware of an author. `next()` works once, and only until the middleware ends. */
export class MiddlewareRun {
  #isUsed = false;
  #isOver = false;

  constructor(
    private readonly call: ActiveCall,
    private readonly rest: Next<unknown>,
    /** The name of the middleware, for messages. */
    private readonly name: string,
  ) {}

  through(step: PlannedStep['step']): MaybePromise<unknown> {
    return after(
      () => step(this.call, () => this.#next()),
      (result) => {
        this.#isOver = true;
        return result;
      },
      (error) => {
        this.#isOver = true;
        throw error;
      },
    );
  }

  #next(): MaybePromise<unknown> {
    const { call, name } = this;
    // Otherwise the method would run a second time, with one record in the audit log and for the price of one
    // call.
    if (this.#isUsed) throw new MisusedNextError(name, 'a second time');
    if (this.#isOver || call.isGivenUp) throw new MisusedNextError(name, 'after the call had ended');
    this.#isUsed = true;
    const running = this.rest();
    // The middleware need not wait for it, but its slot does. An error that nobody handles must not end the
    // process.
    if (isPromise(running)) call.track(running);
    return running;
  }
}
