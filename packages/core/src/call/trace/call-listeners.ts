import { Listeners } from '../../base/maybe-promise.js';
import type { Logger } from '../../ports/logger.js';
import type { CallTrace } from './call-trace.js';

/** Who wants to know of calls. While there is nobody, calls are not traced. */
export class CallListeners extends Listeners<CallTrace> {
  #count = 0;
  readonly #numbers = new WeakMap<object, number>();

  /** Whether traces hide arguments that nobody declared. The server sets it when it knows its operations. */
  hidesUndeclared: () => boolean = () => false;

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
