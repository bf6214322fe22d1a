import { CommandError } from '../command-error.js';

/** Settings that the command cannot change without changing what belongs to others. */
export class SettingsError extends CommandError {
  constructor(why: string) {
    super(`${why} Change the file by hand.`);
  }
}
