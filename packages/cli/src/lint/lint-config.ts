import { dirname, join } from 'node:path';
import { readJsonFile, usageError } from '@toolwright/operate/terminal';
import type { HostId } from '@toolwright/hosts';
import { nearestNames } from '@toolwright/json';
import { type Directory, type LintProblem, type RuleId, ruleIds } from './lint-problem.js';
import { authentications, listingSettings, type ListingConfig } from './directories/listing.js';

const settings = ['rules', 'budget', 'verbs', 'listing'];
const severities = ['off', 'warning', 'error'] as const;

/**
 * The configuration of lint: `toolwright.lint` in the package.json of the project or of the surrounding
 * workspace.
 */
export interface LintConfig {
  /** Severities that replace those of the rules. */
  rules: Partial<Record<RuleId, (typeof severities)[number]>>;
  /** How many tokens the whole list may take. */
  budget?: number;
  /** Words that names may begin with, in addition to the usual verbs. */
  verbs: string[];
  /** What directories show beside the tools. */
  listing?: ListingConfig;
  /** The directories whose rules are checked, too. They come from the command line. */
  directories?: readonly Directory[];
  /** The hosts whose limits are checked, too. */
  hosts?: readonly HostId[];
}

/** @throws {CommandError} if the configuration is wrong; the message says where and why */
export function readLintConfig(directory: string): LintConfig {
  const path = join(directory, 'package.json');
  const found = readJsonFile<PackageWithLint>(path)?.value.toolwright?.lint;
  const config = found && parse(path, found);
  if (config) return config;
  return dirname(directory) === directory ? { rules: {}, verbs: [] } : readLintConfig(dirname(directory));
}

interface PackageWithLint {
  toolwright?: { lint?: Record<string, unknown> };
}

function parse(path: string, lint: Record<string, unknown>): LintConfig {
  const { rules = {}, budget, verbs = [], listing = {}, ...others } = lint;
  const problem = [
    ...Object.keys(others).map(
      (name) =>
        `"${name}" is no setting: there are rules, budget, verbs and listing.${didYouMean(name, settings)}`,
    ),
    ...Object.entries(rules as object).flatMap(([id, severity]) => ruleProblem(id, severity)),
    ...(budget === undefined || (Number.isInteger(budget) && Number(budget) > 0)
      ? []
      : ['"budget" is a number of tokens.']),
    ...(isTexts(verbs) ? [] : ['"verbs" is a list of words.']),
    ...Object.entries(listing as object).flatMap(([name, value]) => listingProblem(name, value)),
  ][0];
  if (problem !== undefined) throw usageError(`${path}: toolwright.lint: ${problem}`);
  return {
    rules: rules as LintConfig['rules'],
    verbs: verbs as string[],
    listing: listing as ListingConfig,
    ...(budget !== undefined && { budget: Number(budget) }),
  };
}

function ruleProblem(id: string, severity: unknown): string[] {
  if (!ruleIds.some((rule) => rule === id))
    return [`there is no rule "${id}": there are ${ruleIds.join(', ')}.${didYouMean(id, ruleIds)}`];
  return severities.some((allowed) => allowed === severity)
    ? []
    : [
        `"${id}" is one of ${severities.join(', ')}, not ${JSON.stringify(severity)}.${didYouMean(String(severity), severities)}`,
      ];
}

function listingProblem(name: string, value: unknown): string[] {
  if (!listingSettings.some((setting) => setting === name))
    return [
      `"${name}" is no setting of listing: there are ${listingSettings.join(', ')}.${didYouMean(name, listingSettings)}`,
    ];
  if (name !== 'authentication') return typeof value === 'string' ? [] : [`"${name}" is a text.`];
  return authentications.some((one) => one === value)
    ? []
    : [`"authentication" is one of ${authentications.join(', ')}, not ${JSON.stringify(value)}.`];
}

function didYouMean(name: string, known: readonly string[]): string {
  const near = nearestNames(name, known)[0];
  return near ? ` Did you mean "${near}"?` : '';
}

const isTexts = (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === 'string');

/** Gives problems the configured severities, and removes the problems that are switched off. */
export function applyRules(problems: readonly LintProblem[], { rules }: LintConfig): LintProblem[] {
  return problems.flatMap((problem) => {
    const severity = rules[problem.rule] ?? problem.severity;
    return severity === 'off' ? [] : [{ ...problem, severity }];
  });
}
