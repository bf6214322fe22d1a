import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type CaseReport,
  type EvaluationReport,
  junitReport,
  type ModelUsage,
  type ToolReport,
} from '@toolwright/json';
import { replaceFile } from './recorded-answers.js';

/** What a million tokens cost, in any currency. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  /** Tokens of the request that come from a cache. Default: `input`. */
  readonly cachedInput?: number;
}

export const sumOfUsage = (all: readonly (ModelUsage | undefined)[]): Required<ModelUsage> => ({
  inputTokens: all.reduce((sum, each) => sum + (each?.inputTokens ?? 0), 0),
  outputTokens: all.reduce((sum, each) => sum + (each?.outputTokens ?? 0), 0),
  cachedInputTokens: all.reduce((sum, each) => sum + (each?.cachedInputTokens ?? 0), 0),
});

export function costOf(usage: Required<ModelUsage>, prices: TokenPrices | undefined): { cost?: number } {
  if (!prices) return {};
  const { input, output, cachedInput = input } = prices;
  const { inputTokens, cachedInputTokens, outputTokens } = usage;
  const fresh = Math.max(0, inputTokens - cachedInputTokens);
  return { cost: (fresh * input + cachedInputTokens * cachedInput + outputTokens * output) / 1_000_000 };
}

interface Ended {
  readonly name: string;
  readonly model: string;
  readonly cases: readonly CaseReport[];
  readonly ofAnotherList: number;
  readonly prices: TokenPrices | undefined;
}

/** Puts the cases of a table together. */
export function reportOf({ name, model, cases, ofAnotherList, prices }: Ended): EvaluationReport {
  const usage = sumOfUsage(cases.map((each) => each.usage));
  const spent = sumOfUsage(cases.filter(({ source }) => source === 'asked').map((each) => each.usage));
  const failed = cases.filter(({ passed }) => !passed);
  return {
    name,
    model,
    at: new Date().toISOString(),
    cases,
    tools: toolsOf(cases),
    passRate: cases.length === 0 ? 1 : 1 - failed.length / cases.length,
    failures: failed.map(
      ({ name: of, problems }) => `${of}: ${problems.map(({ message }) => message).join(' ')}`,
    ),
    ofAnotherList,
    usage,
    ...costOf(usage, prices),
    spent: { usage: spent, ...costOf(spent, prices) },
  };
}

/**
 * A report in the form of JUnit, which CI systems show: a check for each case.
 *
 * @example
 * await writeFile('reports/pages.xml', junitOf(report));
 */
export function junitOf({ name, model, at, cases }: EvaluationReport): string {
  const checks = cases.map(({ name: of, problems }) => ({
    name: of,
    group: `${name} (${model})`,
    problems: problems.map(({ message }) => message),
    kind: problems[0]?.kind ?? '',
  }));
  return junitReport(`evaluation of ${name}`, checks, { at: new Date(at) });
}

function toolsOf(cases: readonly CaseReport[]): ToolReport[] {
  const names = [...new Set(cases.flatMap(({ expected }) => expected))].sort();
  return names.map((name) => {
    const answered = cases.filter(({ expected, source }) => expected.includes(name) && source !== 'missing');
    const missed = answered.filter(
      ({ calls, expected }) => !calls.some(({ tool }) => expected.includes(tool)),
    );
    const instead: Record<string, number> = {};
    for (const tool of missed.flatMap(({ calls }) => calls[0]?.tool ?? 'nothing'))
      instead[tool] = (instead[tool] ?? 0) + 1;
    return { name, expected: answered.length, called: answered.length - missed.length, instead };
  });
}

/** Where the console of `toolwright dev` finds the reports of a project. */
const FOLDER = '.toolwright';

/** Keeps a report for the console. A folder that cannot be written costs only that. */
export function keepReport(report: EvaluationReport, recordings: string): void {
  try {
    const folder = join(projectOf(dirname(recordings)), FOLDER);
    const ignore = join(folder, '.gitignore');
    // Nobody commits it by mistake, also where the project ignores nothing.
    if (!existsSync(ignore)) replaceFile(ignore, '*\n');
    replaceFile(join(folder, 'evaluations', `${report.name}.json`), `${JSON.stringify(report)}\n`);
  } catch {
    // The console shows the report of an earlier run.
  }
}

/** The nearest folder with a `package.json`. */
function projectOf(folder: string): string {
  for (let at = folder; at !== dirname(at); at = dirname(at))
    if (existsSync(join(at, 'package.json'))) return at;
  return folder;
}
