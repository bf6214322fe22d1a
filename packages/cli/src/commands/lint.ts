import { dirname, relative, resolve, sep } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { findHost, type HostId, hosts } from '@toolwright/hosts';
import type { AddCommand } from '@toolwright/operate';
import { count, exitCodes, styleFor } from '@toolwright/operate/terminal';
import {
  type Directory,
  type LintProblem,
  type RuleId,
  directories,
  problemFormats,
  formatProblems,
  ruleIds,
} from '../lint/lint-problem.js';
import { appOption } from './remote.js';

interface LintOptions {
  project: string;
  app?: string;
  format: (typeof problemFormats)[number];
  off: RuleId[];
  for: (Directory | HostId)[];
  budget?: number;
  strict?: true;
  fix?: true;
}

export const addLint: AddCommand = (program, { terminal, exit }) => {
  program
    .command('lint')
    .description('find what keeps a model from using the tools well')
    .option('-p, --project <tsconfig>', 'the tsconfig whose classes are looked at', 'tsconfig.json')
    .addOption(appOption())
    .addOption(
      new Option('-f, --format <format>', 'how problems are printed').choices(problemFormats).default('text'),
    )
    .option('--off <rule>', 'switch a rule off; may be repeated', addRule, [])
    .addOption(
      new Option('--for <name>', 'check the rules of a directory or a host, too; may be repeated')
        .choices(owners)
        .default([], 'none')
        .argParser(addOwner),
    )
    .option('--budget <tokens>', 'tokens that the whole list may take (10000)', parseBudget)
    .option('--strict', 'fail for warnings too')
    .option('--fix', 'fix what can be fixed in doc comments')
    .addHelpText(
      'after',
      '\nThe rules about annotations need a built project.\n\nExample:\n  $ tsc && toolwright lint --strict --off returns-missing\n  $ tsc && toolwright lint --for claude --for registry',
    )
    .action(async ({ project, app: file, format, off, for: chosen, budget, strict, fix }: LintOptions) => {
      const { readLintConfig } = await import('../lint/lint-config.js');
      const { joinRepeated } = await import('../lint/join-repeated.js');
      const { lintProject } = await import('../lint/lint-project.js');
      const path = resolve(terminal.cwd, project);
      const config = readLintConfig(dirname(path));
      const rules = { ...config.rules, ...Object.fromEntries(off.map((id) => [id, 'off' as const])) };
      const { lookAtApp } = await import('../app/look-at-app.js');
      const app = file === undefined ? undefined : await lookAtApp(file, terminal.cwd);
      const limits = {
        ...config,
        rules,
        directories: directories.filter((one) => chosen.includes(one)),
        hosts: hosts.flatMap(({ id }) => (chosen.includes(id) ? [id] : [])),
        ...(budget !== undefined && { budget }),
      };
      const lint = () => lintProject(path, limits, { app });
      let result = await lint();
      const fixed = fix ? await mend(result.problems, path) : 0;
      if (fixed > 0) result = await lint();
      const { tools, note, needsApp } = result;
      const problems = joinRepeated(result.problems);
      const placeOf = (file: string) =>
        relative(terminal.cwd, resolve(dirname(path), file))
          .split(sep)
          .join('/');
      const fails = ({ severity }: LintProblem) => strict === true || severity === 'error';
      const followed = ruleIds.filter((id) => config.rules[id] !== 'off' && !off.includes(id));
      const shown = { format, rules: followed, fails, placeOf, style: styleFor(terminal) };
      for (const line of formatProblems(problems, shown)) terminal.out(line);
      if (note) terminal.err(note);
      for (const sentence of needsApp) terminal.err(sentence);
      terminal.err(
        `${count(tools, 'tool')}, ${count(problems.length, 'problem')}${fix ? `, ${fixed} fixed` : ''}.`,
      );
      exit(problems.some(fails) ? exitCodes.failed : exitCodes.ok);
    });
};

async function mend(problems: readonly LintProblem[], project: string): Promise<number> {
  const { fixProblems } = await import('../lint/hidden-problems.js');
  return (await fixProblems(problems, project)).length;
}

function addRule(word: string, rules: RuleId[]): RuleId[] {
  const rule = ruleIds.find((id) => id === word);
  if (!rule) throw new InvalidArgumentError(`There are ${ruleIds.join(', ')}.`);
  return [...rules, rule];
}

/** Directories and hosts. Some are both. */
const owners = [...new Set<string>([...directories, ...hosts.map(({ id }) => id)])];

function addOwner(word: string, chosen: (Directory | HostId)[]): (Directory | HostId)[] {
  const owner = directories.find((one) => one === word) ?? findHost(word)?.id;
  if (!owner) throw new InvalidArgumentError(`There are ${owners.join(', ')}.`);
  return chosen.includes(owner) ? chosen : [...chosen, owner];
}

function parseBudget(word: string): number {
  if (!/^[1-9]\d*$/.test(word)) throw new InvalidArgumentError('It is a number of tokens.');
  return Number(word);
}
