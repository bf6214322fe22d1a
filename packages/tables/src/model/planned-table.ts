import type { ValueKind } from '../run/database-table.js';

/** A table, and everything that its code is made from. */
export interface PlannedTable {
  /** `public.film`. A table keeps its noun by this key from one import to the next. */
  readonly key: string;
  readonly schema: string;
  readonly name: string;
  readonly isView: boolean;
  /** A person wants its rows to be written. A view has no tools for that. */
  readonly isWritten: boolean;
  /** One row of it, in lower case with `_`: `film`. */
  readonly noun: string;
  /** The name for people: `film`, or `stock.film` outside of `public`. */
  readonly label: string;
  readonly description: string;
  readonly columns: readonly PlannedColumn[];
  /** The columns of its key, by the names that callers use; undefined for a table without one. */
  readonly keyMembers: readonly string[] | undefined;
  /** Policies decide about its rows: its own, or those of the tables that a view reads. */
  readonly rowSecurity: boolean | readonly string[];
  /** The names of its tools. */
  readonly tools: Readonly<Partial<Record<TableAction, string>>> & { readonly list: string };
}

export type TableAction = 'list' | 'get' | 'insert' | 'update' | 'delete';

/** A column with a name for callers, and how its values are. */
export interface PlannedColumn {
  /** The name that callers use. It is the column's own where TypeScript and every host accept that. */
  readonly member: string;
  readonly name: string;
  /** As SQL writes it, without a length. */
  readonly type: string;
  readonly kind: ValueKind;
  readonly isList: boolean;
  /** The kind does not follow from the type: a domain, or a type of rows. */
  readonly isOwnType: boolean;
  /** The values of an enum. */
  readonly values: readonly string[] | undefined;
  /** The type in whose form a text is written, such as `uuid` or `numeric`. */
  readonly form: string;
  readonly isNullable: boolean;
  readonly isInKey: boolean;
  /** It has a value if nobody gives one. */
  readonly hasDefault: boolean;
  /** Callers may give it a value, in a new row and in a change. */
  readonly write: { readonly isInNew: boolean; readonly isInChange: boolean };
  /** It is never read. */
  readonly isSecret: boolean;
  readonly length: number | undefined;
  readonly description: string;
}

/** Types without an order. */
const UNORDERED = new Set('xml point line lseg box path polygon circle'.split(' '));

/** Rows can be compared by it. */
export const isComparable = ({ kind, form, isSecret }: PlannedColumn) =>
  !isSecret && kind !== 'json' && kind !== 'bytes' && !UNORDERED.has(form);

/** What an import makes of a database. */
export interface TablesPlan {
  readonly title: string;
  readonly tables: readonly PlannedTable[];
  /** How many tables and views the chosen schemas have. */
  readonly total: number;
  readonly skipped: readonly { readonly table: string; readonly reason: string }[];
  /** Settings that policies of row-level security read, each with what of the caller it is. */
  readonly settings: readonly { readonly name: string; readonly from: 'tenant' | 'subject' | undefined }[];
  /** What a person should know, a line each. */
  readonly notes: readonly string[];
}
