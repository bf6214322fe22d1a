/** Where a command writes to, and what it can use. */
export interface PackageCommandConsole {
  readonly cwd: string;
  out(text: string): void;
  err(text: string): void;
  /** Asks the person at the terminal. Present only when there is one. */
  ask?(question: string): Promise<string>;
  /** Says in the words of `toolwright diff` what changed between two contracts, a line each. */
  changes?(before: readonly object[], after: readonly object[]): string[];
}

/** One of the commands that a package brings. */
export interface PackageCommand {
  /** Its words after `toolwright`. */
  readonly words: readonly [group: string, name: string];
  readonly description: string;
  readonly argument: { readonly name: string; readonly description: string };
  readonly options: readonly {
    readonly flag: string;
    readonly description: string;
    readonly repeated?: boolean;
    readonly required?: boolean;
    readonly choices?: readonly string[];
  }[];
  readonly help: string;
  /** @returns the exit code */
  run(
    argument: string,
    values: Readonly<Record<string, unknown>>,
    console: PackageCommandConsole,
  ): Promise<number>;
}
