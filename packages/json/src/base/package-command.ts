/** One value of a table for people. */
export interface TableCell {
  readonly text: string;
  /** How it is shown, where there are colours. */
  readonly tone?: 'title' | 'bad' | 'minor';
}

/**
 * One option of a command, in the form that command line libraries use: `--since <time>`. An option without a value is a
 * switch.
 */
export interface CommandOption {
  readonly flag: string;
  readonly description: string;
  readonly repeated?: boolean;
  readonly required?: boolean;
  readonly choices?: readonly string[];
}

/** The values from the command line, by the camel-cased names of the options. */
export type CommandValues = Readonly<Record<string, string | boolean | undefined>>;

/** A command that a package brings to `toolwright`. It does not depend on the library that parses the command line. */
export interface PackageCommand<Console, Argument = string> {
  /** Its words after `toolwright`, or after the name of its group, such as `toolwright tasks`. */
  readonly words: readonly string[];
  readonly description: string;
  readonly argument?: { readonly name: string; readonly description: string; readonly optional?: boolean };
  readonly options: readonly CommandOption[];
  readonly help?: string;
  /** Options stand before the argument. What comes after it belongs to the argument. */
  readonly passThrough?: boolean;
  /** @returns the exit code */
  run(argument: Argument, values: Readonly<Record<string, unknown>>, console: Console): Promise<number>;
}
