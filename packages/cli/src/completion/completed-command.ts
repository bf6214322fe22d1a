import type { Command, Option } from 'commander';

export interface CompletedOption {
  /** `--format`, `-f`. */
  names: string[];
  about: string;
  /** It is followed by a value. */
  takesValue: boolean;
  /** The values there are; empty where any will do. */
  choices: readonly string[];
}

/** What can be typed after a command. */
export interface CompletedCommand {
  /** Such as ` new app`: every word with a space before it; empty for the program itself. */
  path: string;
  commands: { name: string; about: string }[];
  options: CompletedOption[];
}

/** The program and all its commands, the outer before the inner. */
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

/** Menus have one line. */
function firstSentence(text: string): string {
  return text.split(/[;\n]/)[0]!.trim();
}
