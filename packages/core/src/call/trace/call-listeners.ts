import { Listeners } from '../../base/maybe-promise.js';
import type { Logger } from '../../ports/logger.js';
import type { CallTrace } from './call-trace.js';

/** The listeners to calls. While there are none, calls are not traced. */
export class CallListeners extends Listeners<CallTrace> {
  #count = 0;
  readonly #numbers = new WeakMap<object, number>();

  /** Whether traces hide undeclared arguments. The server sets it when it knows its operations. */
  hidesUndeclared: () => boolean = () => false;

  constructor(logger: Logger) {
    super(logger, 'A listener to calls failed');
  }

  /** The number of the next traced call. */
  next(): number {
    return ++this.#count;
  }

  /** The number of a call that is not traced. It gets one when an operator first looks at it. */
  numberOf(call: object): number {
    const known = this.#numbers.get(call) ?? this.next();
    this.#numbers.set(call, known);
    return known;
  }
}
