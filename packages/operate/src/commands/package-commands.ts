import type { PackageCommand, TableCell } from '@toolwright/json';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { addLateCommand, helpWithoutPackage, type LateCommand } from './late-command.js';
import { formatTable, styleFor, styledCell } from '../terminal/style.js';
import type { AddCommand, CommandContext } from './command-context.js';
import { offeredCommand } from './offered-command.js';

/** A group of commands that a package of the app brings. */
export interface PackageCommands extends LateCommand {
  readonly package: string;
  /** The entry of the package that exports the commands, and the name of the export. */
  readonly entry: string;
  readonly member: string;
}

interface RecordConsole {
  out(text: string): void;
  err(text: string): void;
  table(rows: readonly (readonly TableCell[])[]): void;
}

/** The commands of the app's own package: they fit what the app has stored. It is loaded when somebody uses them. */
export function packageCommands(group: PackageCommands): AddCommand {
  return (program, context) =>
    addLateCommand(program, group, async (words, command) => {
      const name = `${program.name()} ${group.name}`;
      const all = load(context.terminal.cwd, group);
      if (!all)
        return context.terminal.out(
          helpWithoutPackage(command, words.length > 0 ? words : ['--help'], {
            package: group.package,
            words: name,
          }),
        );
      const own = program
        .createCommand(name)
        .description(command.description())
        .copyInheritedSettings(command)
        .helpOption('-h, --help');
      const host = { exit: context.exit, console: () => consoleOf(context) };
      for (const each of all) own.addCommand(offeredCommand(own, each.words.join(' '), each, host));
      await own.parseAsync(words.length > 0 ? words : ['--help'], { from: 'user' });
    });
}

/** @returns `undefined` when the package is not installed */
function load(
  directory: string,
  { entry, member }: PackageCommands,
): readonly PackageCommand<RecordConsole>[] | undefined {
  const resolve = createRequire(join(directory, 'package.json'));
  let path: string;
  try {
    path = resolve.resolve(entry);
  } catch {
    return undefined;
  }
  return (resolve(path) as Record<string, readonly PackageCommand<RecordConsole>[] | undefined>)[member];
}

const consoleOf = ({ terminal }: CommandContext): RecordConsole => ({
  out: (text) => void terminal.write(text),
  err: (text) => void terminal.writeErr(text),
  table(rows) {
    const style = styleFor(terminal);
    const { columns } = terminal;
    const cells = rows.map((row) => row.map((cell) => styledCell(cell, style)));
    for (const line of formatTable(cells, { columns })) terminal.out(line);
  },
});
