import { Command, CommanderError } from 'commander';
import { CommandError, describeError, exitCodes } from './command-error.js';
import type { CommandContext } from './commands/command-context.js';
import { commands } from './commands/commands.js';
import { readVersion } from './load-core.js';
import { styleFor } from './terminal/style.js';
import type { Terminal } from './terminal/terminal.js';

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

const footer = `
Exit codes: 0 done, 1 problems were found or the command failed, 2 the command was not understood.
NO_COLOR switches colours off, FORCE_COLOR on.`;

/**
 * Creates the command. Each subcommand imports its code when it runs, so help and completion do not load a
 * compiler.
 *
 * @param exit records the exit code of a command that has run to its end
 */
export function createProgram(terminal: Terminal, exit: CommandContext['exit']): Command {
  const program = new Command('toolwright')
    .description('Develops, builds, inspects and runs servers whose tools are decorated methods.')
    .version(readVersion())
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
      getOutHelpWidth: () => terminal.columns ?? 100,
      getErrHelpWidth: () => terminal.columns ?? 100,
      getOutHasColors: () => terminal.colours,
      getErrHasColors: () => terminal.colours,
    })
    .showHelpAfterError('(run with --help for usage)')
    .addHelpText('after', footer);
  const context: CommandContext = { terminal, exit };
  for (const add of commands) add(program, context);
  return program;
}
