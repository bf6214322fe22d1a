import type { Logger } from '../../ports/logger.js';

/** Is called when a session has ended. It may be async. */
export type SessionEndListener = (event: { readonly sessionId: string }) => void | Promise<void>;

/** The listeners for the end of sessions. If one of them fails, the others are still called. */
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
