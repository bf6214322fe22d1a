/** What the catalogue of a database says about its tables, as it is there. */
export interface DatabaseCatalogue {
  readonly database: string;
  readonly role: string;
  /** The role sees all rows, whatever the policies of row-level security say. */
  readonly bypassesPolicies: boolean;
  readonly tables: readonly CatalogueTable[];
  readonly types: ReadonlyMap<string, CatalogueType>;
  readonly references: readonly CatalogueReference[];
  /** The text of each policy of row-level security, with those of the functions that it calls. */
  readonly policies: readonly CataloguePolicy[];
}

export interface CatalogueTable {
  readonly id: string;
  readonly schema: string;
  readonly name: string;
  /** `r` a table, `p` a partitioned one, `f` a foreign one, `v` a view, `m` a materialized view. */
  readonly kind: 'r' | 'p' | 'f' | 'v' | 'm';
  readonly rowSecurity: boolean;
  /** Tables with policies that a view reads, as SQL names them, and through which other views. */
  readonly reads: readonly string[];
  /** A view that reads one of them with the rights of an owner: the policies of its caller do not hold. */
  readonly passesPolicies: boolean;
  readonly comment: string | null;
  readonly columns: readonly CatalogueColumn[];
  /** The primary key, or the shortest unique index of columns that are never null. */
  readonly key: readonly string[] | null;
}

export interface CatalogueColumn {
  readonly name: string;
  readonly typeId: string;
  /** As SQL writes it, without a length. */
  readonly type: string;
  /** The length of a text; null if it has none. */
  readonly length: number | null;
  readonly notNull: boolean;
  readonly default: string | null;
  /** `a` always, `d` by default, empty for none. */
  readonly identity: string;
  /** Empty for a column that is not generated. */
  readonly generated: string;
  readonly comment: string | null;
  /** How many dimensions its lists were declared with; 0 for other columns, and where nobody said it. */
  readonly dimensions: number;
}

export interface CatalogueType {
  /** `b` base, `c` composite, `d` domain, `e` enum, `m` multirange, `p` pseudo, `r` range. */
  readonly kind: string;
  readonly name: string;
  /** What a domain is made of. */
  readonly base: string;
  /** The items of an array. */
  readonly item: string;
  readonly notNull: boolean;
  readonly labels: readonly string[] | null;
}

export interface CatalogueReference {
  readonly table: string;
  readonly columns: readonly string[];
  readonly target: string;
  readonly targetColumns: readonly string[];
}

export interface CataloguePolicy {
  readonly table: string;
  /** The table as SQL names it. */
  readonly name: string;
  readonly text: string;
}
