/** A statement and its parameters. */
export interface TableStatement {
  readonly text: string;
  readonly values: (string | null)[];
}

/** Collects the parameters of a statement. What comes from a caller is in no other place. */
export class StatementParameters {
  readonly values: (string | null)[] = [];

  /** Adds a value, and gives the SQL that means it. */
  take(value: string | null, type: string): string {
    this.values.push(value);
    // Each parameter is a text for the driver, whatever it is for Postgres. A type without a length changes no value: a text that
    // is too long is an error of the column, and is not cut.
    return `$${this.values.length}::text::${type}`;
  }
}
