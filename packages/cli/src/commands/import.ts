import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { AddCommand, CommandContext } from '@toolwright/operate';
import { CommandError } from '@toolwright/operate/terminal';

const NEEDS = 'npm install @toolwright/openapi';

/** The package of the app writes the services, so that they fit the client that the app has. */
export const addImport: AddCommand = (program, context) => {
  const group = program.command('import').description('write services from a description of an API');
  group
    .command('openapi')
    .description('write decorated services from an OpenAPI specification, or update them')
    .argument('[arguments...]')
    .usage('<file> --out <folder> [options]')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (words: string[], _options, command: Command) => {
      const definition = loadCommands(context.terminal.cwd)?.find(
        ({ words: [, name] }) => name === 'openapi',
      );
      const asksForHelp = words.length === 0 || /^(-h|--help|help)$/.test(words[0]!);
      if (!definition && asksForHelp) return context.terminal.out(helpWithoutPackage(command));
      if (!definition)
        throw new CommandError(
          `This folder has no @toolwright/openapi. Run the command in the folder of the app, or install it: ${NEEDS}`,
        );
      await commandOf(program, command, { definition, context }).parseAsync(
        words.length > 0 ? words : ['--help'],
        {
          from: 'user',
        },
      );
    });
};

function helpWithoutPackage(command: Command): string {
  return [
    `Usage: toolwright import openapi ${command.usage()}`,
    `\n${command.description()}`,
    '\nThe command and its options come from @toolwright/openapi, which this folder does not have.',
    `Run it with --help in the folder of the app, or install the package: ${NEEDS}`,
  ].join('\n');
}

/** One of the commands that a package brings in its entry `./commands`. These are the parts that are used here. */
interface PackageCommand {
  readonly words: readonly [group: string, name: string];
  readonly description: string;
  readonly argument: { readonly name: string; readonly description: string };
  readonly options: readonly {
    readonly flag: string;
    readonly description: string;
    readonly repeated?: boolean;
    readonly required?: boolean;
    readonly choices?: readonly string[];
  }[];
  readonly help: string;
  run(argument: string, values: Readonly<Record<string, unknown>>, console: object): Promise<number>;
}

/** @returns `undefined` when the app does not have the package */
function loadCommands(directory: string): readonly PackageCommand[] | undefined {
  const resolve = createRequire(join(directory, 'package.json'));
  let path: string;
  try {
    path = resolve.resolve('@toolwright/openapi/commands');
  } catch {
    return undefined;
  }
  return (resolve(path) as { commands: readonly PackageCommand[] }).commands;
}

function commandOf(
  program: Command,
  outer: Command,
  { definition, context }: { definition: PackageCommand; context: CommandContext },
): Command {
  const { argument, description, help, options, words } = definition;
  const command = program
    .createCommand(`${program.name()} ${words.join(' ')}`)
    .description(description)
    .copyInheritedSettings(outer)
    .helpOption('-h, --help')
    .argument(`<${argument.name}>`, argument.description)
    .addHelpText('after', help);
  for (const each of options) {
    const option = new Option(each.flag, each.description);
    if (each.repeated) option.argParser((value: string, before: string[] = []) => [...before, value]);
    if (each.choices) option.choices([...each.choices]);
    command.addOption(option.makeOptionMandatory(each.required === true));
  }
  return command.action(async (given: string, values: Record<string, unknown>) => {
    context.exit(await definition.run(given, values, await consoleOf(context)));
  });
}

async function consoleOf({ terminal }: CommandContext): Promise<object> {
  const { compareContracts } = await import('../contract/compare-contracts.js');
  const { formatChanges } = await import('../contract/change.js');
  type Contracts = Parameters<typeof compareContracts>;
  return {
    cwd: terminal.cwd,
    out: (text: string) => terminal.out(text),
    err: (text: string) => terminal.err(text),
    ...(terminal.ask && { ask: (question: string) => terminal.ask!(question) }),
    changes: (before: Contracts[0], after: Contracts[1]) =>
      formatChanges(compareContracts(before, after), terminal),
  };
}
