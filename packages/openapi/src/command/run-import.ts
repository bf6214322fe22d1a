import {
  compareImport,
  importCheckCodes,
  importCodes,
  ImportFolder,
  ImportOptionError,
  type ImportRecord,
  type LandingConsole,
  landImport,
  refusesForeign,
  requirePlaces,
} from '@toolwright/json';
import { writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { contractOf } from '../model/tool-contract.js';
import { type ApiPlan, planOperations } from '../model/plan-operations.js';
import { convertVersion2 } from '../read/convert-version-2.js';
import { readSpecification } from '../read/read-specification.js';
import type { Specification } from '../read/specification.js';
import { SpecificationError } from '../read/specification-error.js';
import { chooseGroups } from '../report/choose-groups.js';
import { reportLines, reportOf } from '../report/import-report.js';
import { writeFiles } from '../write/write-files.js';
import { type ImportChoices, type ImportOptions, readImportOptions } from './import-options.js';

/** Where a command writes to, and what it can use. */
export interface ImportConsole extends LandingConsole {
  readonly cwd: string;
  /** Asks the person at the terminal. Present only when there is one. */
  ask?(question: string): Promise<string>;
}

/** Runs `toolwright import openapi <file>`. The exit codes are those of docs/openapi.md. */
export async function runImport(
  file: string,
  values: Readonly<Record<string, unknown>>,
  console: ImportConsole,
): Promise<number> {
  try {
    const options = readImportOptions(values);
    requirePlaces(options, console.cwd);
    return await (options.check ? checkImport : writeImport)(file, options, console);
  } catch (error) {
    const isExpected = error instanceof SpecificationError || error instanceof ImportOptionError;
    // A place that may not be read or written: the message of Node.js is one line that names it.
    const isOfFiles = error instanceof Error && 'syscall' in error && 'path' in error;
    if (!isExpected && !isOfFiles) throw error;
    console.err(error.message);
    return values['check'] === true ? importCheckCodes.unreadable : importCodes.unusable;
  }
}

interface Prepared {
  readonly folder: ImportFolder;
  readonly before: ImportRecord | undefined;
  readonly plan: ApiPlan;
  readonly choices: ImportChoices;
}

async function prepare(file: string, options: ImportOptions, console: ImportConsole): Promise<Prepared> {
  const folder = new ImportFolder(resolve(console.cwd, options.out), '.openapi');
  const before = folder.record();
  const choices: ImportChoices = { ...before?.options, ...options.choices };
  const path = /^[a-z][a-z0-9+.-]+:\/\//i.test(file) ? file : resolve(console.cwd, file);
  const specification = await readSpecification(path, {
    allowRefs: options.allowRefs.map((each) => resolve(console.cwd, each)),
    convert: convertVersion2,
  });
  const plan = planWith(specification, { ...choices, source: basename(path) }, before);
  if (plan.operations.length === 0)
    throw new SpecificationError(`${file} has ${plan.total} operations, and none of them is left to import.`);
  return { folder, before, plan, choices };
}

function planWith(
  specification: Specification,
  choices: ImportChoices & { source: string },
  before: ImportRecord | undefined,
): ApiPlan {
  const plan = planOperations(specification, {
    ...choices,
    ...(before && { earlierNames: earlierNames(before) }),
  });
  const { groups } = choices;
  return groups ? onlyGroups(plan, new Set(groups)) : plan;
}

/** The names of the last import without its prefix. This one may have another. */
function earlierNames({ tools, options }: ImportRecord): Map<string, string> {
  const { prefix = '' } = options as ImportChoices;
  const withoutPrefix = (name: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : name);
  return new Map(Object.entries(tools).map(([key, name]) => [key, withoutPrefix(name)]));
}

function onlyGroups(plan: ApiPlan, groups: ReadonlySet<string>): ApiPlan {
  const left = plan.operations.filter(({ group }) => !groups.has(group));
  return {
    ...plan,
    operations: plan.operations.filter(({ group }) => groups.has(group)),
    skipped: [
      ...plan.skipped,
      ...left.map(({ key, operationId }) => ({ operation: operationId ?? key, reason: 'not chosen' })),
    ],
  };
}

async function writeImport(file: string, options: ImportOptions, console: ImportConsole): Promise<number> {
  const prepared = await prepare(file, options, console);
  if (refusesForeign({ ...prepared, out: options.out }, options.yes, console)) return importCodes.foreign;
  const chosen = await chooseAtTerminal(prepared, options, console);
  if (chosen.plan.operations.length === 0) {
    console.err('No group is chosen. Nothing was written.');
    return importCodes.unusable;
  }
  const report = reportOf(chosen.plan);
  for (const line of reportLines(report)) console.out(line);
  for (const pattern of chosen.plan.unmatched) console.err(`--include ${pattern} matches no operation.`);
  const code = landImport(landingOf(chosen, options), console);
  if (code !== importCodes.foreign) writeReport(report, options, console);
  return code;
}

const landingOf = (prepared: Prepared, { out }: ImportOptions) => ({
  out,
  folder: prepared.folder,
  before: prepared.before,
  generated: writeFiles(prepared.plan, baseUrlOf(prepared)),
  record: recordOf(prepared),
});

function writeReport(report: object, options: ImportOptions, { cwd }: ImportConsole): void {
  if (options.report !== undefined)
    writeFileSync(resolve(cwd, options.report), `${JSON.stringify(report, null, 2)}\n`);
}

const baseUrlOf = ({ choices }: Prepared) =>
  choices.baseUrl === undefined ? {} : { baseUrl: choices.baseUrl };

/** Asks only for a first import without any choice, and only somebody who is there. */
async function chooseAtTerminal(
  prepared: Prepared,
  options: ImportOptions,
  console: ImportConsole,
): Promise<Prepared> {
  const { ask } = console;
  const { plan, choices, before } = prepared;
  const hasChosen =
    choices.include !== undefined || choices.exclude !== undefined || choices.maxTools !== undefined;
  if (!ask || options.yes || before || hasChosen) return prepared;
  const chosen = await chooseGroups(plan, { ask, show: (line) => console.out(line) });
  if (plan.operations.every(({ group }) => chosen.has(group))) return prepared;
  return { ...prepared, plan: onlyGroups(plan, chosen), choices: { ...choices, groups: [...chosen] } };
}

function recordOf({ plan, choices }: Prepared): ImportRecord {
  return {
    format: 1,
    title: plan.title,
    options: { ...choices },
    tools: Object.fromEntries(plan.operations.map(({ key, toolName }) => [key, toolName])),
    contract: plan.operations.map((each) => contractOf(each, plan)),
  };
}

async function checkImport(file: string, options: ImportOptions, console: ImportConsole): Promise<number> {
  const prepared = await prepare(file, options, console);
  writeReport(reportOf(prepared.plan), options, console);
  return compareImport(landingOf(prepared, options), console);
}
