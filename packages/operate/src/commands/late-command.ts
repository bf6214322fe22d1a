import type { Command } from 'commander';
import { notInstalled } from '../command-error.js';

/** A command whose options and work are in a package. */
export interface LateCommand {
  readonly name: string;
  readonly description: string;
  readonly usage: string;
}

/** Adds a command that takes all words as they are, and loads its package when somebody uses it. */
export function addLateCommand(
  group: Command,
  { name, description, usage }: LateCommand,
  run: (words: readonly string[], command: Command) => unknown,
): void {
  group
    .command(name)
    .description(description)
    .argument('[arguments...]')
    .usage(usage)
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (words: string[], _options, command: Command) => void (await run(words, command)));
}

/** A package that a command needs, and what people write for the command. */
interface NeededPackage {
  readonly package: string;
  readonly words: string;
  /** True if production does not need the package. */
  readonly isForDevelopment?: boolean | undefined;
}

const asksForHelp = ([first = '']: readonly string[]): boolean => /^(-h|--help|help)$/.test(first);

/**
 * The help for people who may not have the package yet.
 *
 * @throws {CommandError} when they ask for something else: it says what to install
 */
export function helpWithoutPackage(
  command: Command,
  given: readonly string[],
  { package: name, words, isForDevelopment }: NeededPackage,
): string {
  if (!asksForHelp(given)) throw notInstalled(name, isForDevelopment);
  return [
    `Usage: ${words} ${command.usage()}`,
    `\n${command.description()}`,
    `\nThe options come from ${name}, which this folder does not have.`,
    `Run it with --help in the folder of the app, or install the package: npm install ${name}`,
  ].join('\n');
}
