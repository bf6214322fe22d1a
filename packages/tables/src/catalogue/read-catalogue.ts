import type { Database, Query } from '@toolwright/postgres/database';
import type {
  DatabaseCatalogue,
  CataloguePolicy,
  CatalogueReference,
  CatalogueTable,
  CatalogueType,
} from './catalogue.js';

/** Without a search path, Postgres writes the schema of each name that is not its own, and quotes what needs it. */
const PLAIN = `SELECT set_config('search_path', '', true), set_config('transaction_read_only', 'on', true)`;

const SELF = `SELECT current_database() AS database, current_user AS role, rolsuper OR rolbypassrls AS "bypassesPolicies"
  FROM pg_roles WHERE rolname = current_user`;

const TYPES = `SELECT t.oid::text AS id, t.typtype::text AS kind, format_type(t.oid, -1) AS name, t.typbasetype::text AS base,
    CASE WHEN t.typcategory = 'A' THEN t.typelem::text ELSE '0' END AS item, t.typnotnull AS "notNull",
    (SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid) AS labels
  FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
  WHERE t.typtype <> 'p' AND (c.oid IS NULL OR c.relkind = 'c')`;

/** Columns that the role may read. Lengths are those of `character` and `character varying`. */
const COLUMNS = `SELECT json_agg(json_build_object(
    'name', a.attname, 'typeId', a.atttypid::text, 'type', format_type(a.atttypid, -1),
    'length', CASE WHEN a.atttypid IN (1042, 1043) AND a.atttypmod > 4 THEN a.atttypmod - 4 END,
    'notNull', a.attnotnull, 'default', pg_get_expr(d.adbin, d.adrelid), 'identity', a.attidentity::text,
    'generated', a.attgenerated::text, 'comment', col_description(c.oid, a.attnum), 'dimensions', a.attndims) ORDER BY a.attnum)
  FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND has_column_privilege(c.oid, a.attnum, 'SELECT')`;

const KEY = `SELECT (SELECT json_agg(a.attname ORDER BY k.place)
      FROM unnest(i.indkey::int2[]) WITH ORDINALITY k (number, place) JOIN pg_attribute a
        ON a.attrelid = c.oid AND a.attnum = k.number WHERE k.place <= i.indnkeyatts)
  FROM pg_index i
  WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
    AND NOT EXISTS (SELECT 1 FROM unnest(i.indkey::int2[]) WITH ORDINALITY k (number, place) JOIN pg_attribute a
      ON a.attrelid = c.oid AND a.attnum = k.number WHERE k.place <= i.indnkeyatts AND NOT a.attnotnull)
  ORDER BY i.indisprimary DESC, i.indnkeyatts, i.indexrelid LIMIT 1`;

const OWN_RIGHTS = `NOT coalesce((SELECT option_value::boolean FROM pg_options_to_table(t.reloptions)
    WHERE option_name = 'security_invoker'), false)`;

/**
 * The tables with policies behind each view, through other views. If one view on the way reads with the rights of its owner, the
 * policies ask about the owner. A materialized view keeps what its owner saw.
 */
const SECURED = `WITH RECURSIVE step AS (
    SELECT DISTINCT r.ev_class AS reader, d.refobjid AS readee FROM pg_rewrite r JOIN pg_depend d
      ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> r.ev_class),
  reached (view, id, passes) AS (
    SELECT t.oid, t.oid, ${OWN_RIGHTS} FROM pg_class t WHERE t.relkind IN ('v', 'm')
    UNION SELECT reached.view, t.oid, reached.passes OR (t.relkind IN ('v', 'm') AND ${OWN_RIGHTS})
      FROM reached JOIN step ON step.reader = reached.id JOIN pg_class t ON t.oid = step.readee)
  SELECT reached.view, bool_or(reached.passes) AS passes,
    json_agg(DISTINCT format('%I.%I', s.nspname, t.relname)) AS names
  FROM reached JOIN pg_class t ON t.oid = reached.id JOIN pg_namespace s ON s.oid = t.relnamespace
  WHERE t.relrowsecurity GROUP BY reached.view`;

/** Partitions are a part of their table, and the tables of an extension are not those of the application. */
const TABLES = `SELECT c.oid::text AS id, n.nspname AS schema, c.relname AS name, c.relkind::text AS kind,
    c.relrowsecurity AS "rowSecurity", coalesce(reads.names, '[]') AS reads, coalesce(reads.passes, false) AS "passesPolicies",
    obj_description(c.oid, 'pg_class') AS comment, (${COLUMNS}) AS columns, (${KEY}) AS key
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN (${SECURED}) reads ON reads.view = c.oid
  WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT c.relispartition
    AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
    AND has_schema_privilege(n.oid, 'USAGE')
    AND NOT EXISTS (SELECT 1 FROM pg_depend d
      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"`;

const namesOf = (table: string, numbers: string) => `(SELECT json_agg(a.attname ORDER BY k.place)
  FROM unnest(${numbers}) WITH ORDINALITY k (number, place)
  JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = k.number)`;

const REFERENCES = `SELECT r.conrelid::text AS "table", ${namesOf('r.conrelid', 'r.conkey')} AS columns,
    r.confrelid::text AS target, ${namesOf('r.confrelid', 'r.confkey')} AS "targetColumns"
  FROM pg_constraint r WHERE r.contype = 'f' AND r.conparentid = 0 ORDER BY r.conrelid, r.conname COLLATE "C"`;

/** Many policies ask a function of their own, such as `auth.uid()`, which reads the setting. */
const POLICIES = `SELECT p.polrelid::text AS "table", format('%I.%I', n.nspname, t.relname) AS name,
    concat_ws(' ', pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid), (SELECT string_agg(f.prosrc, ' ')
      FROM pg_depend d JOIN pg_proc f ON f.oid = d.refobjid WHERE d.classid = 'pg_policy'::regclass AND d.objid = p.oid
        AND d.refclassid = 'pg_proc'::regclass)) AS text
  FROM pg_policy p JOIN pg_class t ON t.oid = p.polrelid JOIN pg_namespace n ON n.oid = t.relnamespace ORDER BY p.polrelid, p.polname COLLATE "C"`;

/**
 * Reads what an import needs, and no row of a table. Postgres gives each answer as one text of JSON: drivers have ideas of
 * their own about lists and names.
 *
 * @throws {PostgresError}
 */
export async function readCatalogue(database: Database): Promise<DatabaseCatalogue> {
  return database.transaction(async (query) => {
    await query(PLAIN);
    const [self] = await rowsOf<Pick<DatabaseCatalogue, 'database' | 'role' | 'bypassesPolicies'>>(
      query,
      SELF,
    );
    const types = await rowsOf<CatalogueType & { id: string }>(query, TYPES);
    const tables = await rowsOf<CatalogueTable>(query, TABLES);
    return {
      ...self!,
      types: new Map(types.map((each) => [each.id, each])),
      tables: tables.map((table) => ({ ...table, columns: table.columns ?? [] })),
      references: await rowsOf<CatalogueReference>(query, REFERENCES),
      policies: await rowsOf<CataloguePolicy>(query, POLICIES),
    };
  });
}

async function rowsOf<Row>(query: Query, sql: string): Promise<Row[]> {
  const [answer] = await query(`SELECT coalesce(json_agg(answer), '[]')::text AS text FROM (${sql}) answer`);
  return JSON.parse(answer!['text'] as string) as Row[];
}
