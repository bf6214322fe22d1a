import type { Logger } from '../../ports/logger.js';

/** Hears of a session that has ended; may be async. */
export type SessionEndListener = (event: { readonly sessionId: string }) => void | Promise<void>;

/** Who wants to hear of sessions that end. One that fails keeps none of the others from hearing. */
export class SessionEndListeners extends Set<SessionEndListener> {
  constructor(private readonly logger: Logger) {
    super();
  }

  tell(sessionId: string): void {
    const failed = (err: unknown) => this.logger.error({ err }, 'A listener to the end of a session failed');
    for (const listener of this) {
      try {
        listener({ sessionId })?.catch(failed);
      } catch (error) {
        failed(error);
      }
    }
  }
}
