import { Command } from 'commander';
import { addAudit } from './commands/audit.js';
import { addBuild } from './commands/build.js';
import { addCall } from './commands/call.js';
import { addClient } from './commands/client.js';
import { addCompletion } from './commands/completion.js';
import { addDev } from './commands/dev.js';
import { addDiff } from './commands/diff.js';
import { addExplain } from './commands/explain.js';
import { addInit } from './commands/init.js';
import { addInstall, addUninstall } from './commands/install.js';
import { addInspect } from './commands/inspect.js';
import { addLint } from './commands/lint.js';
import { addList } from './commands/list.js';
import { addLock } from './commands/lock.js';
import { addMigrate } from './commands/migrate.js';
import { addNew } from './commands/new.js';
import { addPublish } from './commands/publish.js';
import { addStart } from './commands/start.js';
import { addTasks } from './commands/tasks.js';
import { addWorker } from './commands/worker.js';
import type { CommandContext } from './commands/command-context.js';
import { readVersion } from './read-version.js';
import type { Terminal } from './terminal/terminal.js';

const footer = `
Exit codes: 0 done, 1 problems were found or the command failed, 2 the command was not understood.
NO_COLOR switches colours off, FORCE_COLOR on.`;

/**
 * Creates the command. Each subcommand imports its code when it runs, so help and completion do not load a
 * compiler.
 *
 * @param exit records the exit code of a command that has run to its end
 */
export function createProgram(terminal: Terminal, exit: CommandContext['exit']): Command {
  const program = new Command('toolwright')
    .description('Develops, builds, inspects and runs servers whose tools are decorated methods.')
    .version(readVersion())
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
      getOutHelpWidth: () => terminal.columns ?? 100,
      getErrHelpWidth: () => terminal.columns ?? 100,
      getOutHasColors: () => terminal.colours,
      getErrHasColors: () => terminal.colours,
    })
    .showHelpAfterError('(run with --help for usage)')
    .addHelpText('after', footer);
  const context: CommandContext = { terminal, exit };
  for (const add of [
    addDev,
    addBuild,
    addStart,
    addWorker,
    addTasks,
    addInspect,
    addExplain,
    addList,
    addCall,
    addClient,
    addLock,
    addDiff,
    addAudit,
    addNew,
    addInit,
    addMigrate,
    addInstall,
    addUninstall,
    addLint,
    addPublish,
    addCompletion,
  ])
    add(program, context);
  return program;
}
