import { constants } from 'node:os';

/**
 * Ends this process as the signal does: the app hears it, and an app that does not listen for it ends. `dev` asks for
 * this on Windows, which has no such signal.
 */
export function endAsAfterSigterm(app: Pick<NodeJS.Process, 'emit' | 'exit'> = process): void {
  if (!app.emit('SIGTERM', 'SIGTERM')) app.exit(128 + constants.signals.SIGTERM);
}
