import { isPromise } from '../../base/maybe-promise.js';

/** Counts the running calls of one service, so that it is not disposed during a call. */
export class CallCounter {
  private running = 0;
  private waiting: (() => void)[] = [];

  /** Counts every call of `method` until it has settled. */
  count<Method extends (...args: never[]) => unknown>(method: Method): Method {
    const { enter, leave } = this;
    return function (this: unknown, ...args: never[]) {
      enter();
      let result: unknown;
      try {
        result = method.apply(this, args);
      } catch (error) {
        leave();
        throw error;
      }
      if (isPromise(result)) void result.then(leave, leave);
      else leave();
      return result;
    } as Method;
  }

  /** Resolves when no call is running. */
  whenIdle(): Promise<void> {
    return this.running === 0 ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve));
  }

  private readonly enter = (): void => void this.running++;

  private readonly leave = (): void => {
    this.running--;
    if (this.running === 0) for (const resolve of this.waiting.splice(0)) resolve();
  };
}
