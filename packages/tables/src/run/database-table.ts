import { ToolError } from '@toolwright/core';
import type { TablesErrorCode } from '../errors.js';

/** How JavaScript has the values of a column. Everything that is not named is a text. */
export type ValueKind = 'integer' | 'number' | 'boolean' | 'text' | 'time' | 'json' | 'bytes';

/** A column whose name, or whose values, its type alone does not tell. */
export interface DatabaseColumn {
  /** Its type as SQL writes it, without a length: `character varying`, `"public"."mood"`, `integer[]`. */
  readonly type: string;
  /** Its name in the database, if callers use another one. */
  readonly column?: string;
  /** How JavaScript has its values, or those of its items, if the type is one of the database's own. */
  readonly as?: ValueKind;
  /** It is written and never read: a password. */
  readonly writeOnly?: boolean;
}

/** What the methods of `TableDatabase` know of a table. An import writes it. Nothing in it comes from a caller. */
export interface DatabaseTable {
  readonly schema: string;
  readonly name: string;
  /** The columns by the names that callers use, each with its type. */
  readonly columns: Readonly<Record<string, string | DatabaseColumn>>;
  /** The columns of its key, by the names that callers use. A table without one has no `get`, `update` and `delete`. */
  readonly key?: readonly string[];
  /**
   * Policies decide which rows a caller sees: those of the table, or those of the tables that a view reads, as SQL names them. The
   * role of the server must not bypass them.
   */
  readonly rowSecurity?: boolean | readonly string[];
}

/** A column as statements need it. */
export interface BoundColumn {
  readonly member: string;
  /** Quoted. */
  readonly name: string;
  readonly type: string;
  readonly kind: ValueKind;
  readonly isList: boolean;
  readonly isWriteOnly: boolean;
}

const KINDS: Readonly<Record<string, ValueKind>> = {
  smallint: 'integer',
  integer: 'integer',
  oid: 'integer',
  real: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  json: 'json',
  jsonb: 'json',
  bytea: 'bytes',
  'timestamp without time zone': 'time',
  'timestamp with time zone': 'time',
};

const LIST = '[]';

/** How JavaScript has the values of a type of Postgres. */
export const kindOfType = (type: string): ValueKind => KINDS[type] ?? 'text';

/** The type of the items of a list. */
export const itemType = (type: string) => (type.endsWith(LIST) ? type.slice(0, -LIST.length) : type);

/** A name in SQL, whatever it holds. */
export const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The name of a table in SQL. */
export const nameOf = ({ schema, name }: DatabaseTable) => `${quoteName(schema)}.${quoteName(name)}`;

/** The columns of a table by the names that callers use. */
export function columnsOf(table: DatabaseTable): ReadonlyMap<string, BoundColumn> {
  return new Map(
    Object.entries(table.columns).map(([member, given]) => {
      const {
        type,
        column = member,
        as,
        writeOnly = false,
      } = typeof given === 'string' ? { type: given } : given;
      const bound: BoundColumn = {
        member,
        name: quoteName(column),
        type,
        kind: as ?? kindOfType(itemType(type)),
        isList: type.endsWith(LIST),
        isWriteOnly: writeOnly,
      };
      return [member, bound];
    }),
  );
}

/** An error that tells the model what to change. */
export const tablesToolError = (code: TablesErrorCode, message: string) => new ToolError(message, { code });
