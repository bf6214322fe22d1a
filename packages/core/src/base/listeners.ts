import { isPromise } from './maybe-promise.js';

/** What listeners need of a log. */
interface ErrorLog {
  error(fields: Record<string, unknown>, message: string): void;
}

/** Those who want to know of something. If one of them fails, the others and the work are not affected. */
export class Listeners<E> extends Set<(event: E) => void | Promise<void>> {
  /** @param failure what is logged when a listener fails */
  constructor(
    private readonly logger: ErrorLog,
    private readonly failure: string,
  ) {
    super();
  }

  tell(event: E): void {
    const failed = (err: unknown) => this.logger.error({ err }, this.failure);
    for (const listener of this) {
      try {
        // An arrow function may return anything.
        const outcome: unknown = listener(event);
        if (isPromise(outcome)) outcome.then(undefined, failed);
      } catch (error) {
        failed(error);
      }
    }
  }
}
