import { type Command, Option } from 'commander';
import { dirname, resolve } from 'node:path';
import type { AddCommand } from '@toolwright/operate';
import { count, exitCodes, visibleJson, usageError } from '@toolwright/operate/terminal';
import type { Impact, ToolChange } from '../contract/change.js';
import { type Contract, LOCK_FILE } from '../contract/lock-file.js';
import type { TokenSettings } from '../contract/tokens/token-settings.js';
import { type SourceOptions, addSourceOptions } from './remote.js';

export const addLock: AddCommand = (program, { terminal }) => {
  addGatewayOption(addSourceOptions(program.command('lock')))
    .description('write down what callers of the tools, prompts and resources depend on')
    .option('-o, --out <file>', 'where to write it', LOCK_FILE)
    .addHelpText(
      'after',
      '\nCommit the file; toolwright diff compares with it.\n\nExample:\n  $ tsc && toolwright lock',
    )
    .action(async ({ project, out, ...source }: SourceOptions & { out: string }) => {
      const { publishedContract } = await import('../published/published-tools.js');
      const { writeLock } = await import('../contract/lock-file.js');
      const { countTools } = await import('../contract/tokens/count-tokens.js');
      const contract = await publishedContract({
        ...source,
        cwd: terminal.cwd,
        project: resolve(terminal.cwd, project),
        accepts: true,
      });
      for (const name of unreachable(contract))
        terminal.err(`${name} cannot be reached: what was accepted of it stays in ${out}.`);
      const tokens = await countTools(contract.listed ?? contract.tools, contract.forOthers);
      writeLock(resolve(terminal.cwd, out), { ...contract, tokens }, terminal.cwd);
      terminal.out(`${out}: ${summary(contract)}`);
      if (source.tenant !== undefined && contract.tools.length === 0)
        terminal.err(`Callers of the tenant ${source.tenant} see no tools. Is its name right?`);
      for (const text of contract.notLookedAt ?? []) terminal.err(`Not looked at: ${text}.`);
    });
};

/** Adds the option for gateways that have no project. */
const addGatewayOption = (command: Command) =>
  command.option('--config <file>', 'the servers of this gateway configuration (toolwright serve)');

const unreachable = ({ upstreams = {} }: Contract) =>
  Object.keys(upstreams).filter((name) => !upstreams[name]);

/** Kinds that a server does not have are not mentioned, but for tools. */
function summary({ tools, forOthers = [], parts, skills = {}, upstreams = {} }: Contract): string {
  const { prompts = {}, resources = {}, resourceTemplates = {} } = parts;
  const others = [
    [prompts, 'prompt'],
    [resources, 'resource'],
    [resourceTemplates, 'resource template'],
    [skills, 'skill'],
    [upstreams, 'mounted server'],
  ] as const;
  const counted = others.map(([entries, word]) => [Object.keys(entries).length, word] as const);
  const ofSome = count(forOthers.length, 'tool for some callers', 'tools for some callers');
  return [
    count(tools.length, 'tool'),
    ...(forOthers.length > 0 ? [ofSome] : []),
    ...counted.filter(([number]) => number > 0).map(([number, word]) => count(number, word)),
  ].join(', ');
}

const failing: ReadonlySet<Impact> = new Set(['breaking', 'budget']);

interface DiffOptions extends SourceOptions {
  lock: string;
  failOn: 'breaking' | 'any';
  json?: true;
  format: 'text' | 'json' | 'markdown';
  budgets: boolean;
}

export const addDiff: AddCommand = (program, { terminal, exit }) => {
  addGatewayOption(addSourceOptions(program.command('diff')))
    .description('show which changes since the lock was written break callers')
    .option('-l, --lock <file>', 'the lock to compare with', LOCK_FILE)
    .addOption(
      new Option('--fail-on <impact>', 'exit with 1 on such changes')
        .choices(['breaking', 'any'])
        .default('breaking'),
    )
    .option('--no-budgets', 'do not judge how many tokens the tools take')
    .addOption(
      new Option('--format <form>', 'how to print the changes; markdown is for pull requests')
        .choices(['text', 'json', 'markdown'])
        .default('text'),
    )
    .addOption(new Option('--json', 'the same as --format json').implies({ format: 'json' }))
    .addHelpText('after', '\nExample:\n  $ tsc && toolwright diff --fail-on breaking')
    .action(async ({ project, lock, failOn, json, format, budgets, ...source }: DiffOptions) => {
      if (json && format !== 'json') throw usageError(`--json and --format ${format} contradict each other.`);
      const { requireApp } = await import('../app/require-app.js');
      requireApp(source);
      const { compareContracts, comparePackages } = await import('../contract/compare-contracts.js');
      const { compareUpstreams } = await import('../contract/compare-upstreams.js');
      const { compareSkills } = await import('../contract/skills.js');
      const { compareVersions } = await import('../contract/versions.js');
      const { compareParts } = await import('../contract/listed-parts.js');
      const { formatChanges } = await import('../contract/change.js');
      const { readLock, requireTenant } = await import('../contract/lock-file.js');
      const { underLockedNames } = await import('../contract/audiences.js');
      const { publishedContract } = await import('../published/published-tools.js');
      const { asListed } = await import('../contract/short-tools.js');
      const before = readLock(resolve(terminal.cwd, lock));
      if (!source.url) requireTenant(before, source.tenant, lock);
      const from = resolve(terminal.cwd, project);
      const { readTokenSettings } = await import('../contract/tokens/token-settings.js');
      const found = budgets ? readTokenSettings(dirname(from)) : undefined;
      const read = await publishedContract({
        ...source,
        cwd: terminal.cwd,
        project: from,
      });
      const after = {
        ...read,
        ...(read.forOthers && { forOthers: underLockedNames(before.forOthers, read.forOthers) }),
      };
      const locked = source.url && before.tools ? asListed(before.tools, after.tools) : before.tools;
      const changes = [
        ...(locked ? compareContracts(locked, after.tools) : []),
        ...compareVersions(before.versions, after.versions),
        ...compareVersions(before.forOthers, after.forOthers),
        ...compareParts(before.parts, after.parts),
        ...compareSkills(before.skills, after.skills),
        ...comparePackages(before.packages, after.packages),
        ...compareUpstreams(before.upstreams, after.upstreams),
        ...(found
          ? await overBudget(before, after, {
              settings: found.settings,
              // Those of a workspace name tools of several projects.
              isOwn: found.directory === dirname(from) && isProject(source),
            })
          : []),
      ];
      const { notLookedAt } = after;
      if (format !== 'markdown')
        for (const text of notLookedAt ?? []) terminal.err(`Not looked at: ${text}.`);
      if (format === 'json') terminal.out(visibleJson(changes));
      else if (format === 'markdown') {
        const { markdownReport } = await import('../contract/markdown-report.js');
        await terminal.write(markdownReport(changes, { lock, notLookedAt }));
      } else if (changes.length === 0) terminal.out('No changes.');
      else for (const line of formatChanges(changes, terminal)) terminal.out(line);
      const fails = changes.some(({ impact }) => failOn === 'any' || failing.has(impact));
      exit(fails ? exitCodes.failed : exitCodes.ok);
    });
};

/** Whether the tools are those of the project, which its budgets name. An app, a gateway or another server may show other ones. */
const isProject = ({ app, config, url }: Pick<SourceOptions, 'app' | 'config' | 'url'>) =>
  app === undefined && config === undefined && url === undefined;

/** The tools and the list that take more tokens than they may. */
async function overBudget(
  before: Pick<Contract, 'tokens'>,
  after: Contract,
  { settings, isOwn }: { settings: TokenSettings; isOwn: boolean },
): Promise<ToolChange[]> {
  if (!before.tokens && Object.keys(settings).length === 0) return [];
  const { countTools, loadCounter } = await import('../contract/tokens/count-tokens.js');
  const { compareTokens, withoutTools } = await import('../contract/tokens/compare-tokens.js');
  const { asListedForSome } = await import('../contract/audiences.js');
  const tools = after.listed ?? after.tools;
  const { forOthers = [] } = after;
  const counted = await countTools(tools, forOthers);
  return [
    ...(isOwn ? withoutTools(settings, [...tools, ...asListedForSome(forOthers)]) : []),
    ...compareTokens({
      before: before.tokens,
      after: counted,
      tools,
      forOthers,
      settings,
      count: await loadCounter(),
    }),
  ];
}
