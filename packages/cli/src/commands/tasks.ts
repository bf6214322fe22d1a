import { Command } from 'commander';
import type { TaskCommand } from '../tasks/load-tasks.js';
import type { AddCommand, CommandContext } from './command-context.js';

/** The package of the app knows its tables. It is loaded when somebody uses these commands. */
export const addTasks: AddCommand = (program, context) => {
  program
    .command('tasks')
    .description('list, show, cancel and retry the durable tasks of an app')
    .argument('[arguments...]')
    .usage('<list|show|cancel|retry|actions> [id] [options]')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (words: string[], _options, command: Command) => {
      const { loadTaskCommands } = await import('../tasks/load-tasks.js');
      const group = new Command('toolwright tasks').copyInheritedSettings(command).helpOption('-h, --help');
      for (const each of loadTaskCommands(context.terminal.cwd)) addSubcommand(group, each, context);
      await group.parseAsync(words.length > 0 ? words : ['--help'], { from: 'user' });
    });
};

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
