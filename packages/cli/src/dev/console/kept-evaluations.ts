import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { EvaluationReport } from '@toolwright/json';

/** Where `evaluate` of `@toolwright/testing` keeps the last report of each table. */
const FOLDER = '.toolwright/evaluations';
/** A table of a thousand requests takes a tenth of it. */
const MOST_BYTES = 10_000_000;

/** The last report of each table of a project, the newest first. Other files are left out. */
export function keptEvaluations(directory: string): readonly EvaluationReport[] {
  const folder = join(directory, FOLDER);
  return namesIn(folder)
    .flatMap((name) => readReport(join(folder, name)) ?? [])
    .sort((a, b) => b.at.localeCompare(a.at));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

function readReport(path: string): EvaluationReport | undefined {
  try {
    if (statSync(path).size > MOST_BYTES) return undefined;
    const report = JSON.parse(readFileSync(path, 'utf8')) as Partial<EvaluationReport>;
    const isReport =
      typeof report.at === 'string' && Array.isArray(report.cases) && Array.isArray(report.tools);
    return isReport ? (report as EvaluationReport) : undefined;
  } catch {
    // Another process may be writing it, or an older version has written it.
    return undefined;
  }
}
