import type { CountTokens } from '@toolwright/json';
import type { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.js';

/** What the action of a command can use. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Sets the exit code of a command that ran to its end; see `exitCodes`. Throw a `CommandError` to end earlier. */
  exit(code: number): void;
  /** Loads the tokenizer of a program that has one. */
  readonly countTokens?: () => Promise<CountTokens>;
}

/** Adds one command, or a group of them, to the program. */
export type AddCommand = (program: Command, context: CommandContext) => void;
