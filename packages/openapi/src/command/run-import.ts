import { writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { ImportFolder, type ImportRecord } from '../merge/import-folder.js';
import { mergeImport } from '../merge/merge-import.js';
import { contractOf } from '../model/tool-contract.js';
import { type ApiPlan, planOperations } from '../model/plan-operations.js';
import { convertVersion2 } from '../read/convert-version-2.js';
import { readSpecification } from '../read/read-specification.js';
import type { Specification } from '../read/specification.js';
import { SpecificationError } from '../read/specification-error.js';
import { chooseGroups } from '../report/choose-groups.js';
import { reportLines, reportOf } from '../report/import-report.js';
import { writeFiles } from '../write/write-files.js';

import {
  type ImportChoices,
  ImportOptionError,
  type ImportOptions,
  readImportOptions,
} from './import-options.js';
import { requirePlaces } from './require-places.js';

/** Where a command writes to, and what it can use. */
export interface ImportConsole {
  readonly cwd: string;
  out(text: string): void;
  err(text: string): void;
  /** Asks the person at the terminal. Present only when there is one. */
  ask?(question: string): Promise<string>;
  /** Says in the words of `toolwright diff` what changed between two contracts, a line each. */
  changes?(before: readonly object[], after: readonly object[]): string[];
}

const exitCodes = { done: 0, unusable: 1, foreign: 2, conflicts: 3 } as const;
const checkCodes = { same: 0, differs: 1, unreadable: 2 } as const;

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
    return values['check'] === true ? checkCodes.unreadable : exitCodes.unusable;
  }
}

interface Prepared {
  readonly folder: ImportFolder;
  readonly before: ImportRecord | undefined;
  readonly plan: ApiPlan;
  readonly choices: ImportChoices;
}

async function prepare(file: string, options: ImportOptions, console: ImportConsole): Promise<Prepared> {
  const folder = new ImportFolder(resolve(console.cwd, options.out));
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
  const { folder, before } = prepared;
  const isForeign = !before && folder.files().length > 0;
  if (isForeign && !options.yes) {
    console.err(
      `${options.out} has files that no import wrote, or lacks .openapi. Pass --yes to write beside them.`,
    );
    return exitCodes.foreign;
  }
  const chosen = await chooseAtTerminal(prepared, options, console);
  if (chosen.plan.operations.length === 0) {
    console.err('No group is chosen. Nothing was written.');
    return exitCodes.unusable;
  }
  const report = reportOf(chosen.plan);
  for (const line of reportLines(report)) console.out(line);
  for (const pattern of chosen.plan.unmatched) console.err(`--include ${pattern} matches no operation.`);
  const generated = writeFiles(chosen.plan, baseUrlOf(chosen));
  const merged = mergeImport(folder, generated);
  if (merged.foreign.length > 0) {
    console.err(
      `${options.out} has ${merged.foreign.join(', ')}, which this import did not write, or cannot compare without .openapi. ` +
        'Nothing was written: move these files away.',
    );
    return exitCodes.foreign;
  }
  const record = recordOf(chosen);
  if (before) for (const line of console.changes?.(before.contract, record.contract) ?? []) console.out(line);
  folder.write(merged.files, generated, record);
  if (options.report !== undefined)
    writeFileSync(resolve(console.cwd, options.report), `${JSON.stringify(report, null, 2)}\n`);
  for (const note of merged.notes) console.err(note);
  if (merged.conflicts.length > 0) {
    console.err(`Conflicts are marked in ${merged.conflicts.join(', ')}.`);
    return exitCodes.conflicts;
  }
  console.out(
    `${options.out}: ${generated.size} files. Add \`services\` and \`providers\` of its index.ts to createMcpServer.`,
  );
  return exitCodes.done;
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

/** Whether an import would change something. A person's edits do not count. */
async function checkImport(file: string, options: ImportOptions, console: ImportConsole): Promise<number> {
  const prepared = await prepare(file, options, console);
  const { folder, before } = prepared;
  const generated = writeFiles(prepared.plan, baseUrlOf(prepared));
  const base = folder.base();
  const changed = [
    ...[...generated].filter(([name, text]) => base.get(name) !== text).map(([name]) => name),
    ...[...base.keys()].filter((name) => !generated.has(name)),
  ];
  const report = reportOf(prepared.plan);
  if (options.report !== undefined)
    writeFileSync(resolve(console.cwd, options.report), `${JSON.stringify(report, null, 2)}\n`);
  const { conflicts } = mergeImport(folder, generated);
  if (changed.length === 0 && before && conflicts.length === 0) return checkCodes.same;
  for (const line of console.changes?.(before?.contract ?? [], recordOf(prepared).contract) ?? [])
    console.out(line);
  if (!before) console.err(`${options.out} has no import yet.`);
  else if (changed.length > 0) console.err(`An import would change ${changed.join(', ')}.`);
  else console.err(`Conflicts are marked in ${conflicts.join(', ')}.`);
  return checkCodes.differs;
}
