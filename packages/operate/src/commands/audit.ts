import type { TableCell } from '@toolwright/json';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import type { AuditCommand, AuditLog, AuditSource } from '@toolwright/audit';
import { notInstalled } from '../command-error.js';
import { addLateCommand } from './late-command.js';
import { formatRow, styleFor, styledCell } from '../terminal/style.js';
import type { AddCommand, CommandContext } from './command-context.js';

/** Only the audit package can read the log. It is loaded when somebody uses these commands. */
export const addAudit: AddCommand = (program, context) => {
  const audit = {
    name: 'audit',
    description: 'verify, query, export and follow an audit log',
    usage: '<verify|query|export|tail|anchor> <file...> [options]',
  };
  addLateCommand(program, audit, async (words, command) => {
    const group = program
      .createCommand(`${program.name()} audit`)
      .copyInheritedSettings(command)
      .helpOption('-h, --help');
    await addAuditCommands(group, context);
    await group.parseAsync(words.length > 0 ? words : ['--help'], { from: 'user' });
  });
};

/** `usage` reads an audit log, but people ask for tools and not for records, so that it has a name of its own. */
export const addUsage: AddCommand = (program, context) => {
  const usage = {
    name: 'usage',
    description: 'show calls, errors, latency and tokens by tool, client, tenant, week',
    usage: '<file...> [options]',
  };
  addLateCommand(program, usage, async (words, command) => {
    const group = program
      .createCommand(program.name())
      .copyInheritedSettings(command)
      .helpOption('-h, --help');
    const { usageCommand } = await import('@toolwright/audit');
    addSubcommand(group, usageCommand, context);
    await group.parseAsync(['usage', ...words], { from: 'user' });
  });
};

/** A log may be longer than what the reader takes at once. */
async function drained(): Promise<void> {
  if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
}

/** A file is what it is called. The address of a database is the table of audit records in it, read by the app's package. */
async function openLog(
  given: string,
  { schema }: Readonly<Record<string, string | boolean | undefined>>,
  cwd: string,
): Promise<AuditLog> {
  if (!/^postgres(?:ql)?:\/\//.test(given)) return given;
  let path: string;
  try {
    path = createRequire(join(cwd, 'package.json')).resolve('@toolwright/postgres');
  } catch {
    throw notInstalled('@toolwright/postgres');
  }
  const { auditTable } = (await import(pathToFileURL(path).href)) as {
    auditTable(options: { url: string; schema?: string }): Promise<AuditSource>;
  };
  return auditTable({ url: given, ...(typeof schema === 'string' && { schema }) });
}

/** Adds the subcommands for an audit log. */
export async function addAuditCommands(group: Command, context: CommandContext): Promise<void> {
  const { auditCommands } = await import('@toolwright/audit');
  for (const auditCommand of auditCommands) addSubcommand(group, auditCommand, context);
}

function addSubcommand(
  group: Command,
  { name, description, options, takesTables, run }: AuditCommand,
  context: CommandContext,
): void {
  const { terminal, exit, countTokens } = context;
  const subcommand = group
    .command(name)
    .description(description)
    .argument(
      '<file...>',
      `the audit logs: files, patterns in quotes${takesTables ? ', or postgres:// for the table of the app' : ''}`,
    );
  if (takesTables) subcommand.option('--schema <name>', 'the schema of the table; default: toolwright');
  for (const option of options) subcommand.option(option.flag, option.description);
  subcommand.action(async (given: string[], values: Record<string, string | boolean>) => {
    const stop = new AbortController();
    const onSignal = () => stop.abort();
    process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
    const console = {
      out: (text: string) => terminal.write(text),
      err: (text: string) => terminal.writeErr(text),
      row: (cells: readonly TableCell[], widths: readonly number[]) => {
        const style = styleFor(terminal);
        const { columns } = terminal;
        terminal.out(
          formatRow(
            cells.map((cell) => styledCell(cell, style)),
            widths,
            { columns },
          ),
        );
        return drained();
      },
      interactive: terminal.status !== undefined,
      ...(terminal.status && { status: terminal.status.bind(terminal) }),
      ...(countTokens && { countTokens }),
      signal: stop.signal,
    };
    const logs = await Promise.all(given.map((each) => openLog(each, values, terminal.cwd)));
    try {
      exit(await run(logs, values, console));
    } finally {
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
      for (const log of logs) if (typeof log !== 'string') await log.close();
    }
  });
}
