import {
  createProgram as create,
  type CommandContext,
  type ProgramDefinition,
  runProgram,
} from '@toolwright/operate';
import type { Terminal } from '@toolwright/operate/terminal';
import type { Command } from 'commander';
import { commands } from './commands/commands.js';
import { readVersion } from './load-core.js';

const toolwright = (): ProgramDefinition => ({
  name: 'toolwright',
  description: 'Develops, builds, inspects and runs servers whose tools are decorated methods.',
  version: readVersion(),
  commands,
});

/**
 * Runs the `toolwright` command.
 *
 * @param argv the arguments after the program's name
 * @returns the exit code; see `exitCodes`
 */
export function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  return runProgram(toolwright(), argv, terminal);
}

/** Creates the command. Each subcommand imports its code when it runs, so help and completion do not load a compiler. */
export function createProgram(terminal: Terminal, exit: CommandContext['exit']): Command {
  return create(toolwright(), { terminal, exit });
}
