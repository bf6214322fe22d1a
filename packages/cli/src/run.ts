import { CommanderError } from 'commander';
import { CommandError, exitCodes } from './command-error.js';
import { describeError } from './describe-error.js';
import { createProgram } from './program.js';
import type { Terminal } from './terminal/terminal.js';
import { styleFor } from './terminal/style.js';

/**
 * Runs the `toolwright` command.
 *
 * @param argv the arguments after the program's name
 * @returns the exit code; see `exitCodes`
 */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = exitCodes.ok;
  const program = createProgram(terminal, (code) => (exitCode = code));
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has already written its message. Help that the user asked for counts as success.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    terminal.err(`${styleFor(terminal).red('error:')} ${describeError(error)}`);
    if (error instanceof CommandError) return error.exitCode;
    return isNoProject(error) ? exitCodes.usage : exitCodes.failed;
  }
}

/** True when the compiler says that the tsconfig does not exist or cannot be read. */
function isNoProject(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === 'TW_SCHEMA_PROJECT';
}
