/** A check with its outcome, for a report. */
export interface JUnitCase {
  readonly name: string;
  /** What it belongs to: a file, a page, a model. */
  readonly group: string;
  /** What is wrong. The check passed if there is none. */
  readonly problems: readonly string[];
  /** The kind of problem, such as the name of a rule. */
  readonly kind: string;
}

interface JUnitRun {
  /** When the checks were made. */
  readonly at: Date;
  /** What a person should see, though nothing failed. */
  readonly notes?: readonly string[];
}

/** What XML 1.0 cannot hold. Nobody reads a report with one of these characters. */
// eslint-disable-next-line no-control-regex
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Line ends and tabs in an attribute would become blanks. */
const textOf = (text: string) =>
  text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"]/g, (character) => ESCAPES[character]!);
const attribute = (text: string) =>
  textOf(text)
    .replace(/[\t\n\r]+/g, ' ')
    .trim();

/**
 * A report in the form of JUnit, which CI systems show. It is valid against the schema of Ant's task and that of Jenkins:
 * each suite has all that the stricter one asks for, and a check has one failure with all its problems.
 */
export function junitReport(name: string, cases: readonly JUnitCase[], { at, notes = [] }: JUnitRun): string {
  const failures = cases.filter(({ problems }) => problems.length > 0).length;
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" skipped="0" time="0"`;
  const about = `id="0" package="${attribute(name)}" name="${attribute(name)}" hostname="localhost"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite ${about} timestamp="${at.toISOString().slice(0, 19)}" ${counts}>`,
    '    <properties/>',
    ...cases.map(writeCase),
    `    <system-out>${textOf(notes.join('\n'))}</system-out>`,
    '    <system-err/>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function writeCase({ name, group, problems, kind }: JUnitCase): string {
  const open = `    <testcase name="${attribute(name)}" classname="${attribute(group)}" time="0"`;
  if (problems.length === 0) return `${open}/>`;
  const failure = `<failure message="${attribute(problems[0]!)}" type="${attribute(kind)}">${textOf(problems.join('\n'))}</failure>`;
  return `${open}>\n      ${failure}\n    </testcase>`;
}
