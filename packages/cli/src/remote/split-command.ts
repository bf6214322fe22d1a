import { CommandError, exitCodes } from '../command-error.js';

/**
 * Splits a command line into words without a shell. Quotes keep blanks together; nothing else has a meaning.
 *
 * @throws {CommandError} if there are no words
 */
export function splitCommand(line: string): { command: string; args: string[] } {
  const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c!);
  const [first] = words;
  if (first === undefined) throw new CommandError('The command to start is empty.', exitCodes.usage);
  // A file name stands for a program of Node.js, as in `node dist/main.js`.
  const [command, ...args] = /\.[cm]?js$/.test(first) ? [process.execPath, ...words] : words;
  return { command: command!, args };
}
