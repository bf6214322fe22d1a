import type { Command, Option } from 'commander';

export interface CompletedOption {
  /** `--format`, `-f`. */
  names: string[];
  about: string;
  /** Whether a value follows it. */
  takesValue: boolean;
  /** The possible values; empty if any value is allowed. */
  choices: readonly string[];
}

/** What can follow a command. */
export interface CompletedCommand {
  /** For example ` new app`: every word with a space before it. Empty for the program itself. */
  path: string;
  commands: { name: string; about: string }[];
  options: CompletedOption[];
}

/** The program and all its commands, outer ones first. */
export function completedCommands(command: Command, path = ''): CompletedCommand[] {
  const help = command.createHelp();
  const inner = help.visibleCommands(command).filter((each) => each.name() !== 'help');
  const described = {
    path,
    commands: inner.map((each) => ({
      name: each.name(),
      about: firstSentence(help.subcommandDescription(each)),
    })),
    options: help.visibleOptions(command).map(describe),
  };
  return [described, ...inner.flatMap((each) => completedCommands(each, `${path} ${each.name()}`))];
}

function describe({ long, short, required, optional, argChoices, description }: Option): CompletedOption {
  return {
    names: [long, short].filter((name) => name !== undefined),
    about: firstSentence(description),
    takesValue: required || optional,
    choices: argChoices ?? [],
  };
}

/** A menu shows one line for each word. */
function firstSentence(text: string): string {
  return text.split(/[;\n]/)[0]!.trim();
}
