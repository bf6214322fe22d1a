import {
  compareImport,
  importCheckCodes,
  importCodes,
  ImportFolder,
  ImportOptionError,
  type Landing,
  type LandingConsole,
  landImport,
  refusesForeign,
  requirePlaces,
} from '@toolwright/json';
import { resolve } from 'node:path';
import { openCatalogue } from '../catalogue/open-catalogue.js';
import { TablesError } from '../errors.js';
import type { TablesPlan } from '../model/planned-table.js';
import { planTables } from '../model/plan-tables.js';
import { contractsOf } from '../write/table-contract.js';
import { writeFiles } from '../write/write-files.js';
import { readImportOptions, type TableChoices, type TableImportOptions } from './import-options.js';
import { reportLines } from './import-report.js';

/** Where the command writes to, and what it can use. */
export interface TablesConsole extends LandingConsole {
  readonly cwd: string;
}

/** Runs `toolwright import postgres [url]`. The exit codes are those of docs/tables.md. */
export async function runImport(
  url: string | undefined,
  values: Readonly<Record<string, unknown>>,
  console: TablesConsole,
): Promise<number> {
  try {
    const options = readImportOptions(values);
    requirePlaces(options, console.cwd);
    const { plan, landing } = await prepare(url ?? process.env['DATABASE_URL'], options, console);
    if (options.check) return compareImport(landing, console);
    if (refusesForeign(landing, options.yes, console)) return importCodes.foreign;
    for (const line of reportLines(plan)) console.out(line);
    return landImport(landing, console);
  } catch (error) {
    const isExpected = error instanceof TablesError || error instanceof ImportOptionError;
    // A place that may not be read or written: the message of Node.js is one line that names it.
    const isOfFiles = error instanceof Error && 'syscall' in error && 'path' in error;
    if (!isExpected && !isOfFiles) throw error;
    console.err(error.message);
    return values['check'] === true ? importCheckCodes.unreadable : importCodes.unusable;
  }
}

async function prepare(
  url: string | undefined,
  options: TableImportOptions,
  { cwd }: TablesConsole,
): Promise<{ plan: TablesPlan; landing: Landing }> {
  if (url === undefined || url === '')
    throw new ImportOptionError('Name the database: its URL as the argument, or in DATABASE_URL.');
  const folder = new ImportFolder(resolve(cwd, options.out), '.tables');
  const before = folder.record();
  const choices: TableChoices = { ...before?.options, ...options.choices };
  const plan = planTables(await openCatalogue(url, cwd), {
    ...choices,
    ...(before && { earlierNouns: new Map(Object.entries(before.tools)) }),
  });
  if (plan.tables.length === 0)
    throw new ImportOptionError(
      `The database has ${plan.total} tables and views, and none of them is left to import.`,
    );
  const kept = folder.base();
  const isDeleted = (file: string) => kept.has(file) && folder.current(file) === undefined;
  const record = {
    format: 1,
    title: plan.title,
    options: { ...choices },
    tools: Object.fromEntries(plan.tables.map(({ key, noun }) => [key, noun])),
    contract: plan.tables.flatMap(contractsOf),
  } as const;
  return {
    plan,
    landing: { out: options.out, folder, before, generated: writeFiles(plan, isDeleted), record },
  };
}
