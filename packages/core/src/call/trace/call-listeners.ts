import type { Logger } from '../../ports/logger.js';
import type { CallListener, CallTrace } from './call-trace.js';

/** Who wants to know of calls. While there is nobody, calls are not traced. */
export class CallListeners extends Set<CallListener> {
  #count = 0;

  constructor(private readonly logger: Logger) {
    super();
  }

  /** The number of the next traced call. */
  next(): number {
    return ++this.#count;
  }

  /** Tells all listeners. If one of them fails, the others and the call are not affected. */
  tell(trace: CallTrace): void {
    for (const listener of this) {
      try {
        listener(trace);
      } catch (err) {
        this.logger.error({ err }, 'A listener to calls failed');
      }
    }
  }
}
