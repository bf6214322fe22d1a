import { Command, CommanderError, type Option } from 'commander';
import { CommandError, ReaderLeft, describeError, exitCodes } from './command-error.js';
import type { AddCommand, CommandContext } from './commands/command-context.js';
import { styleFor } from './terminal/style.js';
import type { Terminal } from './terminal/terminal.js';

/** A program of the command line, and its commands. */
export interface ProgramDefinition {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** In the order of the help. */
  readonly commands: readonly AddCommand[];
}

/**
 * Runs a program of the command line.
 *
 * @param argv the arguments after the program's name
 * @returns the exit code; see `exitCodes`
 */
export async function runProgram(
  definition: ProgramDefinition,
  argv: readonly string[],
  terminal: Terminal,
): Promise<number> {
  let exitCode: number = exitCodes.ok;
  const program = createProgram(definition, { terminal, exit: (code) => (exitCode = code) });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has already written its message. Help that the user asked for counts as success.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    if (error instanceof ReaderLeft) return exitCode;
    terminal.err(`${styleFor(terminal).red('error:')} ${describeError(error)}`);
    if (error instanceof CommandError) return error.exitCode;
    return isNoProject(error) ? exitCodes.usage : exitCodes.failed;
  }
}

/** True when the compiler says that the tsconfig does not exist or cannot be read. */
function isNoProject(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === 'TW_SCHEMA_PROJECT';
}

/** A command in the list of all: what it must have, and nothing that every command takes. Its own help has the rest. */
function inList(command: Command): string {
  const needed = command.registeredArguments.filter(({ required }) => required);
  return [command.name(), ...needed.map((each) => `<${each.name()}>`)].join(' ');
}

const footer = `
Exit codes: 0 done, 1 problems were found or the command failed, 2 the command was not understood.
NO_COLOR switches colours off, FORCE_COLOR on.`;

/**
 * A command that refuses an option which is given twice, unless the option collects its values: the last one would win without a
 * word, such as in `--tenant a --tenant b`. All commands below it are the same.
 */
class StrictCommand extends Command {
  override createCommand(name?: string): Command {
    return new StrictCommand(name);
  }

  override addOption(option: Option): this {
    super.addOption(option);
    let isGiven = false;
    // It runs after the listener of Commander, which has stored the value.
    this.on(`option:${option.name()}`, () => {
      const value: unknown = this.getOptionValue(option.attributeName());
      // A list, or an object of names and values. Anything else is one value.
      const collects = Array.isArray(value) || isRecord(value);
      // `isBoolean` of Commander says no for `--no-…`.
      const takesValue = option.required || option.optional;
      if (isGiven && takesValue && !collects)
        this.error(`error: the option '${option.flags}' takes one value, and was given twice`);
      isGiven = true;
    });
    return this;
  }
}

const isRecord = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Creates the program. Each command imports its code when it runs, so help and completion load little. */
export function createProgram(definition: ProgramDefinition, context: CommandContext): Command {
  const { terminal } = context;
  const program = new StrictCommand(definition.name)
    .description(definition.description)
    .version(definition.version)
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
    .configureHelp({ subcommandTerm: inList })
    .showHelpAfterError('(run with --help for usage)')
    .addHelpText('after', footer);
  for (const add of definition.commands) add(program, context);
  // It joins the last group.
  return program.helpCommand(true);
}
