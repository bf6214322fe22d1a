import type { Database } from './database.js';

export interface TableColumn {
  name: string;
  /** As Postgres calls it, such as "integer". */
  type: string;
}

export interface Table {
  name: string;
  columns: readonly TableColumn[];
}

const COLUMNS = `
  SELECT table_name AS "table", column_name AS "name", data_type AS "type"
  FROM information_schema.columns WHERE table_schema = 'public'
  ORDER BY table_name, ordinal_position`;

/** The tables of the schema `public`, by name. */
export async function readTables(database: Database): Promise<Table[]> {
  const tables = new Map<string, TableColumn[]>();
  for (const { table, name, type } of (await database.query(COLUMNS)) as { [column: string]: string }[]) {
    const columns = tables.get(table!) ?? [];
    tables.set(table!, [...columns, { name: name!, type: type! }]);
  }
  return [...tables].map(([name, columns]) => ({ name, columns }));
}
