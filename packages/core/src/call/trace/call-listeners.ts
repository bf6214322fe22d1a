import { Listeners } from '../../base/listeners.js';
import type { Logger } from '../../ports/logger.js';
import type { CallTrace } from './call-trace.js';

/** Who wants to know of calls. While there is nobody, calls are not traced. */
export class CallListeners extends Listeners<CallTrace> {
  #count = 0;

  constructor(logger: Logger) {
    super(logger, 'A listener to calls failed');
  }

  /** The number of the next traced call. */
  next(): number {
    return ++this.#count;
  }
}
