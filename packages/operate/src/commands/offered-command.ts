import type { PackageCommand } from '@toolwright/json';
import { type Command, Option } from 'commander';
import type { CommandContext } from './command-context.js';

/** Makes the command that a package describes. @param console what it may use of the terminal */
export function offeredCommand<Console>(
  outer: Command,
  name: string,
  { argument, description, help = '', options, passThrough, run }: PackageCommand<Console, never>,
  { exit, console }: Pick<CommandContext, 'exit'> & { console: () => Console | Promise<Console> },
): Command {
  const command = outer
    .createCommand(name)
    .description(description)
    .copyInheritedSettings(outer)
    .helpOption('-h, --help')
    .passThroughOptions(passThrough === true)
    .addHelpText('after', help);
  if (argument)
    command.argument(argument.optional ? `[${argument.name}]` : `<${argument.name}>`, argument.description);
  for (const each of options) {
    const option = new Option(each.flag, each.description);
    if (each.repeated) option.argParser((value: string, before: string[] = []) => [...before, value]);
    if (each.choices) option.choices([...each.choices]);
    command.addOption(option.makeOptionMandatory(each.required === true));
  }
  return command.action(async (...given: unknown[]) => {
    const [value, values] = argument ? given : ['', given[0]];
    exit(await run(value as never, values as Record<string, unknown>, await console()));
  });
}
