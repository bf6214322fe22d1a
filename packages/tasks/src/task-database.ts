import type { Duration, OptionRule, OptionSchema } from '@toolwright/core/options';
import { connectionOptions, type PostgresConnectionOptions } from '@toolwright/postgres/database';

/** Where the tasks are. Exactly one of `url`, `pool` and `pglite` is needed. */
export interface TaskDatabaseOptions extends Omit<PostgresConnectionOptions, 'migrate'> {
  /**
   * The schema that holds the records, at most 40 characters. Default `toolwright`. The tables of pg-boss are in a
   * second schema, with `_jobs` behind this name.
   */
  schema?: string;
  /** How long a statement may take. Default 5 seconds. More than 0, at most a day. */
  timeout?: Duration;
  /** `false`: the tables are made by somebody else, with `migrateTasks()`. Default `true`. */
  migrate?: boolean;
}

const schemaName: OptionRule = {
  expected: 'a name of at most 40 lower-case letters, digits and underscores',
  accepts: (value) => typeof value === 'string' && /^[a-z_][a-z0-9_]{0,39}$/.test(value),
};

export const taskDatabaseOptions = {
  ...connectionOptions,
  schema: { ...schemaName, default: 'toolwright' },
  timeout: { ...connectionOptions.timeout, default: 5_000 },
} satisfies OptionSchema<TaskDatabaseOptions>;

/** The schema of pg-boss, beside the one of the records. */
export const engineSchema = (schema: string): string => `${schema}_jobs`;
