import type { Command } from 'commander';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type JUnitCase, junitReport, makeFolder, type PackageCommand } from '@toolwright/json';
import { addLateCommand, type CommandContext, helpWithoutPackage, offeredCommand } from '@toolwright/operate';
import { visibleJson } from '@toolwright/operate/terminal';
import { loadCommands } from '../app/load-commands.js';

/** A command that a package of the app brings in its entry `./commands`. */
export interface OfferedCommand {
  /** Its words after `toolwright`. */
  readonly words: readonly string[];
  readonly description: string;
  readonly usage: string;
  readonly package: string;
  /** True if production does not need the package. */
  readonly isForDevelopment?: boolean;
}

/** Adds a command whose options and work are in a package. The package is loaded when somebody uses the command. */
export function addPackageCommand(
  group: Command,
  offered: OfferedCommand,
  context: CommandContext,
  more: (context: CommandContext) => Promise<object> = () => Promise.resolve({}),
): void {
  const { words } = offered;
  addLateCommand(group, { ...offered, name: words.at(-1)! }, async (given, outer) => {
    const commands = loadCommands(offered.package, context.terminal.cwd)?.['commands'];
    const definition = (commands as readonly PackageCommand<object, unknown>[] | undefined)?.find(
      (each) => each.words.join(' ') === words.join(' '),
    );
    if (!definition) {
      const needed = { ...offered, words: `toolwright ${words.join(' ')}` };
      return context.terminal.out(helpWithoutPackage(outer, given, needed));
    }
    const isWhole = given.length > 0 || definition.argument?.optional === true;
    const command = offeredCommand(outer, `toolwright ${words.join(' ')}`, definition, {
      exit: context.exit,
      console: async () => ({ ...consoleOf(context), ...(await more(context)) }),
    });
    // As for the program itself, help that nobody asked for is a command that was not understood.
    if (!isWhole) command.help({ error: true });
    await command.parseAsync(given, { from: 'user' });
  });
}

function consoleOf({ terminal }: CommandContext): object {
  return {
    cwd: terminal.cwd,
    out: (text: string) => terminal.out(text),
    err: (text: string) => terminal.err(text),
    // What escapes text for a screen spoils JSON, so a package does not write it by itself.
    json: (value: unknown) => terminal.out(visibleJson(value)),
    report: (file: string, name: string, cases: readonly JUnitCase[]) =>
      writeFileSync(resolve(terminal.cwd, file), junitReport(name, cases, { at: new Date() })),
    makeFolder: (path: string) => makeFolder(path),
    ...(terminal.ask && { ask: (question: string) => terminal.ask!(question) }),
  };
}
