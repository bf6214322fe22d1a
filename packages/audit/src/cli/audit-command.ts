/** Where a command reads its surroundings from and writes to. */
export interface CommandConsole {
  /** Results. */
  out(text: string): void | Promise<void>;
  /** Progress and problems. */
  err(text: string): void;
  /** The error stream is a terminal: a progress bar makes sense. */
  interactive: boolean;
  /** Replaces the one line that tells how far things are; empty clears it. Only where `interactive`. */
  status?(text: string): void;
  /** Ends what runs until it is stopped (`tail`). */
  signal?: AbortSignal;
}

/** One option as a command line library wants it: `--since <time>`. Without a value it is a switch. */
export interface CommandOption {
  flag: string;
  description: string;
}

/** What the command line passed, by the camel-cased name of the option. */
export type CommandValues = Readonly<Record<string, string | boolean | undefined>>;

/**
 * A sub-command of `toolwright audit`, independent of the library that parses the command line.
 *
 * Exit codes: 0 fine; 1 the log is not as it should be; 2 the command could not do its work; 3 the log agrees with itself,
 * and nothing shows who wrote it.
 */
export interface AuditCommand {
  name: string;
  description: string;
  options: readonly CommandOption[];
  /** Returns the exit code; throws nothing that a user can cause. */
  run(file: string, values: CommandValues, console: CommandConsole): Promise<number>;
}

export const EXIT_OK = 0;
export const EXIT_PROBLEMS = 1;
export const EXIT_USAGE = 2;
export const EXIT_UNTRUSTED = 3;
