import type { Manifest } from '@toolwright/manifest';
import { relative, sep } from 'node:path';
import { type Terminal, styleFor, currentText } from '@toolwright/operate/terminal';

/** A problem in a source file, found by the type checker, the schema compiler or the server. */
export interface CompileProblem {
  /** An absolute path; undefined if the problem is in no file. */
  file?: string;
  /** 1-based, as editors show it. */
  line: number;
  column: number;
  severity: 'error' | 'warning';
  /** A code such as `TS2322` or `TW_SCHEMA_FUNCTION`. */
  code: string;
  message: string;
}

/**
 * A problem in the form that compilers use: its place, clickable in most terminals, then the line with a
 * caret below it.
 */
export function formatProblem(problem: CompileProblem, terminal: Pick<Terminal, 'cwd' | 'colours'>): string {
  const { red, yellow, cyan } = styleFor(terminal);
  const { file, line, column, severity, code, message } = problem;
  const kind = severity === 'error' ? red(`error ${code}`) : yellow(`warning ${code}`);
  if (file === undefined) return `${kind}: ${message}`;
  const place = `${relative(terminal.cwd, file).split(sep).join('/')}:${line}:${column}`;
  return [`${cyan(place)}: ${kind}: ${message}`, ...frame(problem, terminal)].join('\n');
}

function frame({ file, line, column }: CompileProblem, terminal: Pick<Terminal, 'colours'>): string[] {
  const text = lineOf(file!, line);
  if (text === undefined) return [];
  const { dim, red } = styleFor(terminal);
  const number = String(line).padStart(5);
  // Tabs stay tabs, so that the caret is below the right character.
  const indent = text.slice(0, column - 1).replace(/[^\t]/g, ' ');
  return [`${dim(`${number} |`)} ${text}`, `${dim(`${' '.repeat(number.length)} |`)} ${indent}${red('^')}`];
}

function lineOf(file: string, line: number): string | undefined {
  return currentText(file)?.split(/\r?\n/)[line - 1];
}

/** How a compilation ended. */
export interface DevCompilation {
  readonly problems: readonly CompileProblem[];
  readonly manifest: Manifest;
  readonly durationMs: number;
}
