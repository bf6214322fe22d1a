import { InvalidArgumentError, Option, type Command } from 'commander';
import { findHost, type Host, hosts } from '@toolwright/hosts';
import type { AddCommand, CommandContext } from '@toolwright/operate';
import { CommandError, usageError } from '@toolwright/operate/terminal';
import type { HostPlan } from '../install/plan-host.js';
import { parseWebUrl, urlOption } from '../remote/remote-options.js';

interface HostOptions {
  host: string[];
  name?: string;
  yes?: boolean;
  dryRun?: boolean;
}

interface InstallOptions extends HostOptions {
  url: URL;
  stdio?: string;
  env: string[];
  header: string[];
  replace?: true;
}

const hostIds: readonly string[] = hosts.map(({ id }) => id);

export const addInstall: AddCommand = (program, context) => {
  const install = program
    .command('install')
    .description('add a server to the settings of Claude, VS Code, Cursor and other hosts')
    .addOption(urlOption().argParser(parseWebUrl))
    .addOption(
      new Option(
        '-s, --stdio <command>',
        'the program that the host starts, such as "node dist/main.js"',
      ).conflicts('url'),
    )
    .option(
      '-e, --env <name=value>',
      'a variable for the program; only the name for a secret; may be repeated',
      collect,
      [],
    )
    .option(
      '-H, --header <name: value>',
      "a header for the server, such as 'Authorization: Bearer ${TOKEN}'; may be repeated",
      collect,
      [],
    )
    .option('--replace', 'replace another server of the same name');
  addHostOptions(install)
    .addHelpText(
      'after',
      '\nShows the change of each file and asks. Without --host it changes those hosts that it finds.' +
        '\n\nExample:\n  $ toolwright install --host vscode --stdio "node dist/main.js" --env API_KEY',
    )
    .action((options: InstallOptions) => runInstall(options, context));
};

export const addUninstall: AddCommand = (program, context) => {
  addHostOptions(program.command('uninstall').description('remove a server from the settings of hosts'))
    .addHelpText(
      'after',
      '\nRemoves only the entry of this name. Shows the change of each file and asks.' +
        '\n\nExample:\n  $ toolwright uninstall --host vscode --name notes',
    )
    .action((options: HostOptions) => runUninstall(options, context));
};

function addHostOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--host <host>', 'the host; may be repeated')
        .choices(hostIds)
        .default([], 'all that are found')
        .argParser((id: string, ids: string[]) => {
          if (hostIds.includes(id)) return [...ids, id];
          throw new InvalidArgumentError(`There are ${hostIds.join(', ')}.`);
        }),
    )
    .option('-n, --name <name>', 'the name of the server; default: that of package.json')
    .option('-y, --yes', 'write without asking')
    .option('--dry-run', 'show the changes, and write nothing');
}

async function runInstall(options: InstallOptions, context: CommandContext): Promise<void> {
  const { serverToInstall } = await import('../remote/server-to-install.js');
  const { planInstall } = await import('../install/plan-host.js');
  const server = serverToInstall(options, context.terminal.cwd);
  await run(options, context, {
    plan: (host, machine) => planInstall(host, server, machine),
    check: ({ host, change }) => {
      if (!change?.replaces || !options.yes || options.replace) return;
      throw new CommandError(
        `${host.title} has another server of this name. Pass --replace to replace it, or --name for another name.`,
      );
    },
    unchanged: 'the server is there already.',
  });
}

async function runUninstall(options: HostOptions, context: CommandContext): Promise<void> {
  const { projectName } = await import('../remote/server-to-install.js');
  const { planUninstall } = await import('../install/plan-host.js');
  const name = options.name ?? projectName(context.terminal.cwd);
  if (name === undefined) throw usageError('Pass --name: there is no package.json with a name here.');
  await run(options, context, {
    plan: (host, machine) => planUninstall(host, name, machine),
    check: () => undefined,
    unchanged: 'it has no such server.',
  });
}

interface Work {
  plan(host: Host, machine: import('../install/find-hosts.js').Machine): HostPlan;
  /** Throws if the plan must not be carried out. */
  check(plan: HostPlan): void;
  unchanged: string;
}

async function run(
  { host: ids, yes = false, dryRun = false }: HostOptions,
  { terminal, exit }: CommandContext,
  { plan, check, unchanged }: Work,
): Promise<void> {
  const { applyPlans } = await import('../install/apply-plans.js');
  const { findInstalledHosts, hostPath, thisMachine } = await import('../install/find-hosts.js');
  const machine = thisMachine(terminal);
  const chosen = ids.length > 0 ? [...new Set(ids)].map((id) => findHost(id)!) : findInstalledHosts(machine);
  if (chosen.length === 0)
    throw new CommandError(`No host was found. Name one with --host: ${hostIds.join(', ')}.`);
  const plans = chosen.map((host) => plan(host, machine));
  plans.forEach(check);
  const placeOf = ({ host }: HostPlan) => hostPath(host.file!, machine);
  exit(await applyPlans(plans, { yes, dryRun, placeOf, unchanged }, terminal));
}

function collect(word: string, words: string[]): string[] {
  return [...words, word];
}
