import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { signalled } from '../changes/signalled.js';
import type { ConsoleHost } from '../dev/console/console-host.js';
import type { AddCommand } from '@toolwright/operate';
import { CommandError, type Terminal, usageError } from '@toolwright/operate/terminal';

interface DevCommandOptions {
  project: string;
  console: boolean;
  consolePort?: number;
  consoleHost?: string;
  envFile: string[];
  inspect?: string | true;
  open?: true;
  mcp?: true;
  agentsAct?: true;
}

export const addDev: AddCommand = (program, { terminal, exit }) => {
  program
    .command('dev')
    .description('compile and run an app, and apply your edits while it runs')
    .argument('[entry]', 'the file that starts it; default: what "start" in package.json runs')
    .argument('[args...]', 'arguments for the app, after --')
    .option('-p, --project <tsconfig>', 'the tsconfig that the app is compiled with', 'tsconfig.json')
    .option('--no-console', 'do without the console, the page that shows what the app does')
    .option('--console-port <port>', 'the port of the console; default: the one of the last run', parsePort)
    .option(
      '--console-host <host>',
      'the name in your browser, for a console behind a forwarded port; 0.0.0.0: listen for a container',
      parseAuthority,
    )
    .option(
      '--env-file <file>',
      'read variables of the app from this file; may be repeated',
      (file: string, before: string[]) => [...before, file],
      [],
    )
    .option('--inspect [address]', 'let a debugger attach, at this port or host:port', parseInspect)
    .option('--open', 'open the console in your browser')
    .option('--mcp', 'connect a coding agent on standard input with the dev that runs for this project')
    .option('--agents-act', 'let coding agents call as any caller, and answer questions in your place')
    .addHelpText(
      'after',
      '\nAn edited service is replaced in the running app. Other edits restart the app, and requests wait for it.' +
        '\nIf there is an error, the last good version continues.' +
        '\n\nExamples:\n  $ toolwright dev\n  $ toolwright dev src/main.ts -- --stdio\n  $ toolwright dev --env-file .env --inspect',
    )
    .action(async (named: string | undefined, args: string[], options: DevCommandOptions) => {
      const project = resolve(terminal.cwd, options.project);
      if (options.mcp) {
        if (options.agentsAct)
          throw new CommandError(
            '"--agents-act" belongs to the "toolwright dev" that you start yourself: an agent could write it into its own settings.',
          );
        const { runBridge } = await import('../dev/agents/run-bridge.js');
        return exit(await runBridge(project));
      }
      if (!existsSync(project))
        throw usageError(
          `There is no ${options.project}. dev compiles the app with it: write one (npx --no tsc --init), or name another with --project. A single file needs none: toolwright run ${named ?? 'weather.ts'}`,
        );
      loadVariables(options.envFile, terminal.cwd);
      const { findEntry } = await import('../dev/find-entry.js');
      const { DevSession } = await import('../dev/dev-session.js');
      const entry = findEntry(named, dirname(project), terminal.cwd);
      const stopped = signalled();
      const { openLocalIssuer } = await import('../dev/local-issuer.js');
      const issuer = await openLocalIssuer(dirname(project), terminal);
      const console = options.console ? await consoleOf(project, options, terminal) : undefined;
      if (issuer) console?.knowsTestUsers(issuer);
      try {
        exit(
          await new DevSession(
            { project, entry, args, console, issuer, inspect: options.inspect },
            terminal,
          ).run(stopped),
        );
      } finally {
        await issuer?.close();
      }
    });
};

async function consoleOf(
  project: string,
  { consolePort, consoleHost, agentsAct, open }: DevCommandOptions,
  terminal: Terminal,
): Promise<ConsoleHost | undefined> {
  const { openConsole } = await import('../dev/console/console-host.js');
  const port = consolePort !== undefined && { port: consolePort };
  const host = consoleHost !== undefined && { host: consoleHost };
  const choices = { ...host, ...(agentsAct && { agentsAct }), ...(open && { open }) };
  return openConsole({ project, ...port, ...choices }, terminal);
}

/** As `node --env-file`: what is set already stays, and of several files the last one counts. */
function loadVariables(files: readonly string[], cwd: string): void {
  for (const file of files.toReversed()) {
    const path = resolve(cwd, file);
    if (!existsSync(path)) throw usageError(`There is no ${file}, which --env-file names.`);
    process.loadEnvFile(path);
  }
}

function parseInspect(word: string): string {
  if (/^(?:[\w.-]+:|\[[\da-f:]+\]:)?\d{1,5}$/i.test(word)) return word;
  throw new InvalidArgumentError('It is a port, or host:port. The entry stands before --inspect.');
}

function parseAuthority(word: string): string {
  if (word === '::' || /^(?:[\w.-]+|\[[\da-f:]+\])(?::\d{1,5})?$/i.test(word)) return word.toLowerCase();
  throw new InvalidArgumentError(
    'It is a name as in the address bar, such as localhost or name-9000.app.github.dev.',
  );
}

export function parsePort(word: string): number {
  const port = Number(word);
  if (!/^\d+$/.test(word) || port > 65_535) throw new InvalidArgumentError('It is a port number.');
  return port;
}
