import { DatabaseUnavailableError } from './database/database.js';
import { SettingsError } from './settings.js';

/**
 * Runs an entry point. What its user can mend is told in one line; anything else is a bug and shown in full. On stderr
 * in both cases, with exit code 1.
 */
export function run(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    console.error(canBeMended(error) ? `pages cannot start. ${error.message}` : error);
    process.exitCode = 1;
  });
}

function canBeMended(error: unknown): error is Error {
  return error instanceof SettingsError || error instanceof DatabaseUnavailableError;
}
