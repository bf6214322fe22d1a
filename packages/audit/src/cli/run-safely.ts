import { AuditError, reasonOf } from '../errors/audit-error.js';
import { EXIT_USAGE, type CommandConsole } from './audit-command.js';

/** Turns errors that a user or a disk can cause into one line and an exit code. */
export async function runSafely(console: CommandConsole, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const system = typeof (error as NodeJS.ErrnoException).code === 'string';
    if (!(error instanceof AuditError) && !system) throw error;
    console.err(`${reasonOf(error)}\n`);
    return EXIT_USAGE;
  }
}
