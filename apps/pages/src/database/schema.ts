import type { Database } from './database.js';

/** Any constant will do; it only keeps two processes from creating the same tables at once. */
const SCHEMA_LOCK = 7_150_001;

/**
 * `search` holds every text twice: stemmed in English for ranking (title above content), and word by word so that
 * the first letters of a word find it. Only the head of very long contents is indexed, because a tsvector may not
 * exceed 1 MB.
 */
const statements = [
  `create table if not exists pages (
     id text primary key default gen_random_uuid()::text,
     parent_id text references pages (id) on delete set null,
     title text not null,
     content text not null,
     source text unique,
     created_at timestamptz not null default now(),
     updated_at timestamptz not null default now(),
     search tsvector not null generated always as (
       setweight(to_tsvector('english', title), 'A') ||
       setweight(to_tsvector('english', left(content, 100000)), 'B') ||
       setweight(to_tsvector('simple', title || ' ' || left(content, 100000)), 'D')
     ) stored
   )`,
  `create index if not exists pages_search on pages using gin (search)`,
  `create index if not exists pages_parent on pages (parent_id)`,
  `create table if not exists page_imports (
     once boolean primary key default true check (once),
     pages integer not null,
     finished_at timestamptz not null default now()
   )`,
];

/** Creates what is missing. Safe to run at every start, by several processes at once. */
export async function createSchema(database: Database): Promise<void> {
  await database.transaction(async (queries) => {
    await queries.query(`select pg_advisory_xact_lock($1)`, [SCHEMA_LOCK]);
    for (const statement of statements) await queries.query(statement);
  });
}
