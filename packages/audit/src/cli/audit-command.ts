import {
  type CommandOption,
  type CommandValues,
  type CountTokens,
  reasonOf,
  type TableCell,
} from '@toolwright/json';
import { AuditError } from '../errors/audit-error.js';
import type { AuditLog } from '../read/log-sources.js';

/** What a command writes to, and what it knows about its terminal. */
export interface CommandConsole {
  /** Writes results. */
  out(text: string): void | Promise<void>;
  /**
   * Writes a row of a table for people: in columns that have at least these widths, and over several lines if the screen
   * is narrow. Without it, each row is one line.
   */
  row?(cells: readonly TableCell[], widths: readonly number[]): void | Promise<void>;
  /** Writes progress and problems. */
  err(text: string): void;
  /** True when the error stream is a terminal, where a progress bar makes sense. */
  interactive: boolean;
  /**
   * Replaces the line that shows the progress; an empty text clears it. Present only when `interactive` is
   * true.
   */
  status?(text: string): void;
  /** What counts the tokens of models (o200k). Left out where there is no tokenizer: then four bytes are one. */
  countTokens?(): Promise<CountTokens>;
  /** Ends a command that runs until it is stopped (`tail`). */
  signal?: AbortSignal;
}

/**
 * A sub-command of `toolwright audit`. It does not depend on the library that parses the command line.
 *
 * Exit codes: 0: everything is fine. 1: the log is not as it should be. 2: the command could not do its work.
 * 3: the log is consistent, but nothing shows who wrote it.
 */
export interface AuditCommand {
  name: string;
  description: string;
  options: readonly CommandOption[];
  /** Whether it takes tables, too. */
  takesTables?: true;
  /** Returns the exit code. It throws no error that a user can cause. */
  run(logs: AuditLog | readonly AuditLog[], values: CommandValues, console: CommandConsole): Promise<number>;
}

/** The files of a command that takes no table. @param advice what to do with a table */
export const filesOf = (logs: AuditLog | readonly AuditLog[], advice: string): string[] =>
  listOf(logs).map((log) => {
    if (typeof log === 'string') return log;
    throw new AuditError('TW_AUDIT_OPTIONS', `This command reads logs, and not ${log.name}: ${advice}.`);
  });

export const listOf = (logs: AuditLog | readonly AuditLog[]): readonly AuditLog[] =>
  Array.isArray(logs) ? (logs as readonly AuditLog[]) : [logs as AuditLog];

export const EXIT_OK = 0;
export const EXIT_PROBLEMS = 1;
const EXIT_USAGE = 2;
export const EXIT_UNTRUSTED = 3;

/** Turns errors that a user or a disk can cause into one line and an exit code. */
export async function runSafely(console: CommandConsole, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const system = typeof (error as NodeJS.ErrnoException).code === 'string';
    if (!(error instanceof AuditError) && !system) throw error;
    console.err(`${reasonOf(error)}\n`);
    return EXIT_USAGE;
  }
}
