import { Listeners } from '../../base/listeners.js';
import type { Logger } from '../../ports/logger.js';
import type { CallTrace } from './call-trace.js';

/** Who wants to know of calls. While there is nobody, calls are not traced. */
export class CallListeners extends Listeners<CallTrace> {
  #count = 0;
  readonly #numbers = new WeakMap<object, number>();

  constructor(logger: Logger) {
    super(logger, 'A listener to calls failed');
  }

  /** The number of the next traced call. */
  next(): number {
    return ++this.#count;
  }

  /** The number of a call that is not traced. It gets one when somebody asks. */
  numberOf(call: object): number {
    const known = this.#numbers.get(call) ?? this.next();
    this.#numbers.set(call, known);
    return known;
  }
}
