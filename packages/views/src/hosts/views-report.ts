import { type Examination, kilobytes, weigh } from './examine-view.js';
import type { ReportedCase, Untried } from './read-views.js';
import type { ViewUnderTest } from './view-under-test.js';

/** What was found out about one page. */
export interface ViewReport {
  readonly view: ViewUnderTest;
  readonly examinations: readonly Examination[];
}

/** What the command prints, line by line. */
export function* describeReports(
  reports: readonly ViewReport[],
  untried: readonly Untried[],
): Generator<string> {
  for (const { view, examinations } of reports) {
    const { plain, compressed } = weigh(view);
    yield `${view.uri} (${view.tool.name}): ${kilobytes(plain)}, ${kilobytes(compressed)} compressed`;
    for (const { host, theme, problems, firstPaintMs } of examinations) {
      const paint =
        firstPaintMs === undefined ? 'nothing was painted' : `first paint after ${firstPaintMs} ms`;
      yield `  ${problems.length === 0 ? 'ok  ' : 'FAIL'} ${host}, ${theme}: ${paint}`;
      for (const problem of problems) yield `         ${inLine(problem)}`;
    }
  }
  for (const { tool, reason } of untried) yield `FAIL ${tool}: ${reason}`;
  const pictures = reports.flatMap(({ examinations }) => examinations).flatMap((each) => each.pictures);
  if (pictures.length > 0) yield `${pictures.length} pictures`;
}

/** A case for each page in each host and theme, and for each page that was not tried. */
export function casesOf(reports: readonly ViewReport[], untried: readonly Untried[]): ReportedCase[] {
  return [
    ...reports.flatMap(({ view: { tool }, examinations }) =>
      examinations.map(({ host, theme, problems }) => ({
        name: `${host}, ${theme}`,
        group: tool.name,
        problems: problems.map(inLine),
        kind: 'view',
      })),
    ),
    ...untried.map(({ tool, reason }) => ({
      name: 'tried',
      group: tool,
      problems: [reason],
      kind: 'untried',
    })),
  ];
}

export const hasFailed = (reports: readonly ViewReport[], untried: readonly Untried[]): boolean =>
  untried.length > 0 ||
  reports.some(({ examinations }) => examinations.some(({ problems }) => problems.length > 0));

/** A page may have written a problem: it takes one line. The command line shows what hides in it. */
const inLine = (text: string) => [...text.replace(/\s+/g, ' ')].slice(0, 400).join('');
