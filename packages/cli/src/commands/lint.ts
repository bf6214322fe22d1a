import { dirname, relative, resolve, sep } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { exitCodes } from '../command-error.js';
import { ruleIds, type RuleId } from '../lint/finding.js';
import { findingFormats, formatFindings } from '../lint/format-findings.js';
import type { AddCommand } from './command-context.js';

interface LintOptions {
  project: string;
  format: (typeof findingFormats)[number];
  off: RuleId[];
  budget: number;
  strict?: true;
}

export const addLint: AddCommand = (program, { terminal, exit }) => {
  program
    .command('lint')
    .description('tell what keeps a model from using the tools well')
    .option('-p, --project <tsconfig>', 'the tsconfig whose classes are looked at', 'tsconfig.json')
    .addOption(
      new Option('-f, --format <format>', 'how findings are printed').choices(findingFormats).default('text'),
    )
    .option('--off <rule>', 'leave a rule out; may be repeated', addRule, [])
    .option('--budget <tokens>', 'tokens that the whole list may take', parseBudget, 10_000)
    .option('--strict', 'fail for warnings too')
    .addHelpText(
      'after',
      '\nAnnotations are looked at once the project is built.\n\nExample:\n  $ tsc && toolwright lint --strict --off returns-missing',
    )
    .action(async ({ project, format, off, budget, strict }: LintOptions) => {
      const { lintProject } = await import('../lint/lint-project.js');
      const path = resolve(terminal.cwd, project);
      const { findings: all, tools, note } = await lintProject(path, budget);
      const findings = all.filter(({ rule }) => !off.includes(rule));
      const placeOf = (file: string) =>
        relative(terminal.cwd, resolve(dirname(path), file))
          .split(sep)
          .join('/');
      for (const line of formatFindings(findings, format, placeOf)) terminal.out(line);
      if (note) terminal.err(note);
      terminal.err(`${tools} tools, ${findings.length} findings.`);
      const fails = findings.some(({ severity }) => strict || severity === 'error');
      exit(fails ? exitCodes.failed : exitCodes.ok);
    });
};

function addRule(word: string, rules: RuleId[]): RuleId[] {
  const rule = ruleIds.find((id) => id === word);
  if (!rule) throw new InvalidArgumentError(`There are ${ruleIds.join(', ')}.`);
  return [...rules, rule];
}

function parseBudget(word: string): number {
  if (!/^[1-9]\d*$/.test(word)) throw new InvalidArgumentError('It is a number of tokens.');
  return Number(word);
}
