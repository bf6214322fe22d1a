/** An instance that class-validator still has to check, and its place. */
export interface Unchecked {
  readonly instance: object;
  readonly pointer: string;
}

/** What is left to do for the values of one call after they were revived. */
export class PendingChecks {
  readonly unchecked: Unchecked[] = [];
  /**
   * Instances at places where the type declares their class, with the names of their properties in JSON if
   * these differ. The closed schema has already refused all properties that the type does not declare.
   */
  readonly declared = new Map<object, Readonly<Record<string, string>> | undefined>();
  /** Functions that convert JSON values after class-validator has checked them in their JSON form. */
  readonly later: (() => void)[] = [];

  /**
   * Finishes the conversion, if nothing was wrong.
   *
   * @throws {UnrevivableError} for a value that cannot be converted
   */
  finish(): void {
    for (const revive of this.later) revive();
  }
}
