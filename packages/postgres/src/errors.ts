import { ToolwrightError } from '@toolwright/core';
import { reasonOf } from '@toolwright/json';

/** Every error code of this package, with its meaning. docs/errors.md lists the same codes. */
export const postgresErrorCatalogue = {
  TW_POSTGRES_UNAVAILABLE: 'Postgres does not answer, or not in time. It may answer later.',
  TW_POSTGRES_REFUSED:
    'Postgres answers, but refuses: the login, the right to do something, or a statement. Somebody has to change something.',
} as const;

export type PostgresErrorCode = keyof typeof postgresErrorCatalogue;

/**
 * Postgres cannot do what was asked. The text is for operators. It contains no password, and the error of the
 * driver is not attached, because that one refers to the connection.
 */
export class PostgresError extends ToolwrightError {
  /** The SQLSTATE, when the error comes from Postgres itself. */
  readonly sqlState: string | undefined;
  /** What Postgres itself said, such as `value too long for type character varying(20)`. */
  readonly reason: string | undefined;

  constructor(
    readonly code: PostgresErrorCode,
    message: string,
    sqlState?: string,
    reason?: string,
  ) {
    super(message);
    this.sqlState = sqlState;
    this.reason = reason;
  }

  /** True when Postgres answers, and refuses. Core then logs no outage. */
  get isRefusal(): boolean {
    return this.code === 'TW_POSTGRES_REFUSED';
  }
}

/**
 * The classes and codes of SQLSTATE that tell that Postgres cannot answer at the moment: connections that broke,
 * no free connection, shutting down or starting, a statement that was cancelled for its time, and a server that
 * only reads, which is what a replica is before it takes over.
 */
const PASSING = /^(08...|53...|57P0.|57014|25006)$/;

/** What to do about the refusals that people meet. */
const ADVICE: Readonly<Record<string, string>> = {
  '28P01': 'Check the user and the password.',
  '28000': 'Check the user, and pg_hba.conf.',
  '3D000': 'Create the database, or correct its name.',
  '42501': 'Grant the missing right, or run the text of migrationSql() as the owner.',
  '3F000': 'Run the migration: see migrate() and migrationSql().',
  '42P01': 'Run the migration: see migrate() and migrationSql().',
  '55P03': 'A long statement, such as a backup, holds a table. Start again when it is over.',
};

/** What JavaScript throws for a mistake in a program, or for data that a program cannot read. */
const OF_PROGRAMS: ReadonlySet<unknown> = new Set([
  'TypeError',
  'SyntaxError',
  'RangeError',
  'ReferenceError',
]);

/**
 * Turns what the driver throws into an error of ours. An error of a program stays what it is: Postgres is not away
 * because somebody cannot read a row.
 */
export function toPostgresError(error: unknown): Error {
  if (error instanceof PostgresError) return error;
  if (OF_PROGRAMS.has((error as Error | undefined)?.name)) return error as Error;
  const state = sqlStateOf(error);
  if (state === undefined || PASSING.test(state)) {
    return new PostgresError(
      'TW_POSTGRES_UNAVAILABLE',
      `Postgres does not answer: ${reasonOf(error)}.`,
      state,
    );
  }
  const advice = ADVICE[state] ? ` ${ADVICE[state]}` : '';
  const reason = reasonOf(error);
  return new PostgresError(
    'TW_POSTGRES_REFUSED',
    `Postgres refuses (${state}): ${reason}.${advice}`,
    state,
    reason,
  );
}

export function isRefused(error: unknown): boolean {
  return error instanceof PostgresError && error.isRefusal;
}

export function isAway(error: unknown): boolean {
  return error instanceof PostgresError && error.code === 'TW_POSTGRES_UNAVAILABLE';
}

function sqlStateOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  // Codes of the system, such as ECONNREFUSED, are longer, and EPIPE begins with two letters.
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && code !== 'EPIPE' ? code : undefined;
}
