import type { Logger } from '@toolwright/core/ports';
import { isAway } from '@toolwright/postgres/database';

/**
 * Logs why repeated work of this process fails, for another reason than an outage. The log has each reason once,
 * until the same thing works again. The code that keeps the connection logs an outage.
 */
export class Trouble {
  readonly #reasons = new Map<string, string>();

  constructor(private readonly logger: Logger) {}

  get isOver(): boolean {
    return this.#reasons.size === 0;
  }

  /** @returns `undefined` when the work failed */
  async of<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work();
      if (this.#reasons.delete(what)) this.logger.info({ what }, 'The queue of the tasks works again');
      return result;
    } catch (error) {
      if (!isAway(error)) this.#tell(what, (error as Error).message);
      return undefined;
    }
  }

  #tell(what: string, reason: string): void {
    if (this.#reasons.get(what) === reason) return;
    this.#reasons.set(what, reason);
    this.logger.error({ what, reason }, 'The queue of the tasks cannot do its work');
  }
}
