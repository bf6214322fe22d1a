import type { OnDispose, Principal } from '@toolwright/core';
import { type Duration, optionRules, type OptionSchema, wrongOption } from '@toolwright/core/options';
import { systemClock } from '@toolwright/core/ports';
import {
  connectionOptions,
  type Database,
  openDatabase,
  parseConnection,
  type PostgresConnectionOptions,
  type Query,
  type Row as DatabaseRow,
} from '@toolwright/postgres/database';
import { TablesError } from '../errors.js';
import { type DatabaseTable, nameOf, tablesToolError } from './database-table.js';
import { fitPage } from './fit-page.js';
import { type ListRows, pageStatement, type RowPage } from './list-rows.js';
import { explainRefusal } from './refusals.js';
import {
  deleteStatement,
  getStatement,
  insertStatement,
  keyText,
  rowOf,
  type RowStatement,
  updateStatement,
} from './row-statements.js';
import type { TableStatement } from './statement.js';

/** What of a call decides which rows its caller sees. A `ToolContext` is one. */
export interface TableCaller {
  readonly principal: Principal | undefined;
}

type Connection = Pick<PostgresConnectionOptions, 'pool' | 'pglite' | 'ssl' | 'connections'>;

export interface TableDatabaseOptions extends Connection {
  /** The address of the database, as for the stores. It may be `undefined` for the compiler; the class then refuses to start. */
  url?: string | undefined;
  /**
   * How large a page of `list` may be as JSON: the page ends before the row that is too much, and the next one begins with it.
   * Keep it below the `@MaxOutput` of the tools, which would cut rows that no page has. Default 36,000.
   */
  pageBytes?: number;
  /** How long a statement may take. Default 5 seconds. More than 0, at most a day. */
  timeout?: Duration;
  /**
   * Settings of Postgres for the transaction of a call, such as `{ 'app.tenant': ctx.principal?.tenant }`: what the policies of
   * row-level security read with `current_setting`. One that is `undefined` is empty, and a table with policies then refuses the
   * call.
   */
  settings?: (ctx: TableCaller) => Readonly<Record<string, string | undefined>>;
  /** The role of the transaction of a call. Default: the role that connects. */
  role?: string;
}

const { callback, driverTimeout, filledText, positiveCount } = optionRules;
const { url, pool, pglite, ssl, connections } = connectionOptions;

const databaseOptions = {
  ...{ url, pool, pglite, ssl, connections },
  timeout: { ...driverTimeout, default: 5_000 },
  pageBytes: { ...positiveCount, default: 36_000 },
  settings: callback,
  role: filledText,
} satisfies OptionSchema<TableDatabaseOptions>;

/** Postgres ends a statement itself; the client waits this much longer for the word of it. */
const LONGER_MS = 1_000;

/**
 * Reads and writes rows for tools. Each call is a transaction of its own, which reads only unless it writes. Callers choose
 * among the names of a table, and everything else that they send is a parameter.
 *
 * @throws {ConfigurationError} when an option is wrong, or names no database
 *
 * @example
 * export class ShopDatabase extends TableDatabase {
 *   constructor() {
 *     super({ url: process.env.DATABASE_URL, settings: ({ principal }) => ({ 'app.tenant': principal?.tenant }) });
 *   }
 * }
 */
export class TableDatabase implements OnDispose {
  readonly #options;
  #database: Promise<Database> | undefined;
  /** The tables whose policies were seen to hold for the role of the server. */
  readonly #protected = new Set<string>();

  constructor(options: TableDatabaseOptions) {
    if (typeof options.url === 'string' && options.url.startsWith('pglite:'))
      throw wrongOption(
        'The option "url" of TableDatabase names a PGlite in a folder, which only an import opens.',
        'Give the option "pglite" instead: new PGlite(folder).',
      );
    this.#options = parseConnection<TableDatabaseOptions, typeof databaseOptions>(
      'TableDatabase',
      databaseOptions,
      options,
    );
  }

  /**
   * The row with a key.
   *
   * @throws {ToolError} if there is none that the caller may see
   */
  async get<Row>(table: DatabaseTable, key: object, ctx: TableCaller): Promise<Row> {
    const statement = getStatement(table, key);
    return this.#oneRow<Row>(table, statement, { ctx, key, isReading: true });
  }

  /**
   * A page of rows.
   *
   * @throws {ToolError} for a condition or a cursor that cannot be used
   */
  async list<Row>(table: DatabaseTable, query: ListRows, ctx: TableCaller): Promise<RowPage<Row>> {
    const { limit, shown, nextOf, ...statement } = pageStatement(table, query);
    const found = await this.#ask(table, statement, { ctx, isReading: true });
    const placed = found
      .slice(0, limit)
      .map((row, index) => ({ row: rowOf(shown, row), next: nextOf(row, index + 1) }));
    return fitPage(table, { found: placed, hasMore: found.length > limit, bytes: this.#options.pageBytes });
  }

  /**
   * Adds a row, and gives it as it is then.
   *
   * @throws {ToolError} if the database does not take it
   */
  async insert<Row>(table: DatabaseTable, row: object, ctx: TableCaller): Promise<Row> {
    return this.#oneRow<Row>(table, insertStatement(table, row), { ctx, key: row, isReading: false });
  }

  /**
   * Changes the columns that are given beside the key, and gives the row as it is then.
   *
   * @throws {ToolError} if there is no such row, or the database does not take the change
   */
  async update<Row>(table: DatabaseTable, change: object, ctx: TableCaller): Promise<Row> {
    return this.#oneRow<Row>(table, updateStatement(table, change), { ctx, key: change, isReading: false });
  }

  /**
   * Deletes the row with a key.
   *
   * @throws {ToolError} if there is none, or other rows need it
   */
  async delete(table: DatabaseTable, key: object, ctx: TableCaller): Promise<void> {
    const [row] = await this.#ask(table, deleteStatement(table, key), { ctx, isReading: false });
    if (!row) throw noRow(table, key);
  }

  /** The container calls this when the server closes. */
  async onDispose(): Promise<void> {
    const database = await this.#database?.catch(() => undefined);
    await database?.close();
  }

  async #oneRow<Row>(
    table: DatabaseTable,
    { shown, ...statement }: RowStatement,
    { key, ...call }: { ctx: TableCaller; key: object; isReading: boolean },
  ): Promise<Row> {
    const [row] = await this.#ask(table, statement, call);
    if (!row) throw noRow(table, key);
    return rowOf(shown, row) as Row;
  }

  /** Runs a statement as the caller. Errors are thrown after the transaction: one inside costs the connection. */
  async #ask(
    table: DatabaseTable,
    { text, values }: TableStatement,
    { ctx, isReading }: { ctx: TableCaller; isReading: boolean },
  ): Promise<DatabaseRow[]> {
    const settings = this.#settingsOf(table, ctx, isReading);
    const calls = settings.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, true)`);
    try {
      const database = await this.#open();
      const rows = await database.transaction(async (query) => {
        await query(`SELECT ${calls.join(', ')}`, settings.flat());
        return (await this.#isProtected(table, query)) ? query(text, values) : undefined;
      });
      if (rows) return rows;
    } catch (error) {
      throw explainRefusal(error, table);
    }
    throw new TablesError(
      'TW_TABLES_ROW_SECURITY',
      `The policies of ${nameOf(table)} do not hold for the role of this server, which is its owner, a superuser or has BYPASSRLS.`,
    );
  }

  /** The settings of a transaction. The role is the last one, because it may lack the right to change the others. */
  #settingsOf(table: DatabaseTable, ctx: TableCaller, isReading: boolean): [name: string, value: string][] {
    const { timeout, settings, role } = this.#options;
    const own = Object.entries(settings?.(ctx) ?? {});
    const unknown = own.find(([, value]) => value === undefined || value === '');
    if (table.rowSecurity && unknown)
      throw tablesToolError(
        'TW_TABLES_DENIED',
        `${table.name} shows each caller its own rows, and nothing says whose they are here (${unknown[0]}). Sign in.`,
      );
    return [
      ...(isReading ? [['transaction_read_only', 'on'] as [string, string]] : []),
      ['statement_timeout', String(Math.ceil(timeout))],
      ['datestyle', 'ISO, YMD'],
      ['timezone', 'UTC'],
      ...own.map(([name, value]): [string, string] => [name, value ?? '']),
      ...(role === undefined ? [] : [['role', role] as [string, string]]),
    ];
  }

  /** A server whose role bypasses the policies would show each caller the rows of all. */
  async #isProtected(table: DatabaseTable, query: Query): Promise<boolean> {
    const name = nameOf(table);
    const { rowSecurity } = table;
    if (rowSecurity === undefined || rowSecurity === false || this.#protected.has(name)) return true;
    for (const secured of rowSecurity === true ? [name] : rowSecurity) {
      const [row] = await query('SELECT row_security_active($1::text::regclass)::text AS active', [secured]);
      if (row?.['active'] !== 'true') return false;
    }
    this.#protected.add(name);
    return true;
  }

  #open(): Promise<Database> {
    const options = this.#options;
    return (this.#database ??= openDatabase({
      ...options,
      clock: systemClock,
      timeout: options.timeout + LONGER_MS,
    }));
  }
}

const noRow = (table: DatabaseTable, key: object) =>
  tablesToolError('TW_TABLES_VALUE', `${table.name} has no row with ${keyText(table, key)}.`);
