/** An instance that class-validator still has to check, and where it stands. */
export interface Unchecked {
  readonly instance: object;
  readonly pointer: string;
}

/** What is left to do for the values of one call, once they were revived. */
export class PendingChecks {
  readonly unchecked: Unchecked[] = [];
  /**
   * Instances of classes that stand where the type declares them, and what their properties are called in JSON where that
   * is another name: the closed schema has already refused all properties but those of the type.
   */
  readonly declared = new Map<object, Readonly<Record<string, string>> | undefined>();
  /** Makes of JSON values, which class-validator has seen as such, what the type says. */
  readonly later: (() => void)[] = [];

  /**
   * Ends what was begun, when nothing was wrong.
   *
   * @throws {UnrevivableError} for a value of which nothing can be made
   */
  finish(): void {
    for (const revive of this.later) revive();
  }
}
