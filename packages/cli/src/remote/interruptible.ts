import { stopOnSignals } from '@toolwright/core/transport';
import { CommandError } from '@toolwright/operate/terminal';
import { constants } from 'node:os';

/**
 * Does something that a person may interrupt with Ctrl C. Then the signal aborts, and the process exits as soon as all has
 * ended, as shells expect it: with 130 after SIGINT.
 */
export async function interruptible<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupt = new AbortController();
  const { signal } = interrupt;
  const running = run(signal);
  const stop = async (name: NodeJS.Signals) => {
    interrupt.abort(new CommandError('The command was interrupted.'));
    await running.catch(() => undefined);
    process.exitCode = 128 + constants.signals[name];
  };
  const leave = stopOnSignals(stop);
  try {
    return await running;
  } finally {
    // Whoever has interrupted it wants no answer and no error.
    if (signal.aborted) await new Promise(() => undefined);
    leave();
  }
}
