import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Command } from 'commander';
import { CommandError } from '../command-error.js';
import type { AddCommand, CommandContext } from './command-context.js';

const NEEDS = 'npm install @toolwright/tasks';

/** The package of the app knows its tables. It is loaded when somebody uses these commands. */
export const addTasks: AddCommand = (program, context) => {
  program
    .command('tasks')
    .description('list, show, cancel and retry the durable tasks of an app')
    .argument('[arguments...]')
    .usage('<list|show|cancel|retry|schedules|actions> [id] [options]')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (words: string[], _options, command: Command) => {
      const group = program
        .createCommand(`${program.name()} tasks`)
        .description(command.description())
        .copyInheritedSettings(command)
        .helpOption('-h, --help');
      const all = loadTaskCommands(context.terminal.cwd);
      const asksForHelp = words.length === 0 || /^(-h|--help|help)$/.test(words[0]!);
      if (!all && asksForHelp) return context.terminal.out(helpWithoutPackage(command, group.name()));
      if (!all)
        throw new CommandError(
          `This folder has no @toolwright/tasks. Run the command in the folder of the app, or install it: ${NEEDS}`,
        );
      for (const each of all) addSubcommand(group, each, context);
      await group.parseAsync(words.length > 0 ? words : ['--help'], { from: 'user' });
    });
};

/** Who asks what the commands are may not have the package yet. */
function helpWithoutPackage(command: Command, name: string): string {
  return [
    `Usage: ${name} ${command.usage()}`,
    `\n${command.description()}`,
    '\nThe commands and their options come from @toolwright/tasks, which this folder does not have.',
    `Run ${name} --help in the folder of the app, or install the package: ${NEEDS}`,
  ].join('\n');
}

/** One of the commands that `@toolwright/tasks` brings. These are the parts that are used here. */
interface TaskCommand {
  readonly name: string;
  readonly description: string;
  readonly takesId: boolean;
  readonly options: readonly { readonly flag: string; readonly description: string }[];
  run(
    id: string,
    values: Readonly<Record<string, string | boolean | undefined>>,
    console: {
      out(text: string): void;
      err(text: string): void;
    },
  ): Promise<number>;
}

/**
 * The commands of the app's own `@toolwright/tasks`: it fits the tables that the app has made.
 *
 * @returns `undefined` when it is not installed
 */
function loadTaskCommands(directory: string): readonly TaskCommand[] | undefined {
  const resolve = createRequire(join(directory, 'package.json'));
  let path: string;
  try {
    path = resolve.resolve('@toolwright/tasks');
  } catch {
    return undefined;
  }
  return (resolve(path) as { taskCommands: readonly TaskCommand[] }).taskCommands;
}

function addSubcommand(
  group: Command,
  { name, description, takesId, options, run }: TaskCommand,
  { terminal, exit }: CommandContext,
): void {
  const subcommand = group.command(name).description(description);
  if (takesId) subcommand.argument('<id>', 'the task');
  for (const option of options) subcommand.option(option.flag, option.description);
  const console = {
    out: (text: string) => terminal.write(text),
    err: (text: string) => terminal.writeErr(text),
  };
  subcommand.action(async (...given: unknown[]) => {
    const [id, values] = takesId ? given : ['', given[0]];
    exit(await run(id as string, values as Record<string, string | boolean>, console));
  });
}
