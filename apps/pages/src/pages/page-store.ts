import type { Database, Queries } from '../database/database.js';
import { type NewPage, type Page, type PageChanges, type PageLink, pageUrl, type SearchHit } from './page.js';
import { searchSql, searchText, wordsOf } from './search-sql.js';

interface PageRow {
  id: string;
  parent_id: string | null;
  title: string;
  content: string;
  created_at: Date;
  updated_at: Date;
}

/** A page read from a file, on its way into the workspace. */
export interface ImportedPage {
  /** Path of the file below the imported folder; unique. */
  source: string;
  title: string;
  content: string;
}

/** Thrown when a page is asked to lie below one that does not exist, or below itself. */
export class PagePlaceError extends Error {
  override readonly name = 'PagePlaceError';
}

/** Any constant will do; it keeps two processes from importing at once. */
const IMPORT_LOCK = 7_150_002;

/** The workspace: pages in a tree, with ranked full-text search. */
export class PageStore {
  constructor(private readonly database: Database) {}

  /**
   * @param query words to look for; `"a phrase"`, `-without` and `or` work as in web search
   * @param limit how many hits at most, best first
   */
  async search(query: string, limit: number): Promise<SearchHit[]> {
    const text = searchText(storable(query));
    const hits = await this.database.query<Omit<SearchHit, 'url'>>(searchSql, [text, wordsOf(text), limit]);
    return hits.map(({ id, title, snippet }) => ({ id, title, url: pageUrl(id), snippet: oneLine(snippet) }));
  }

  /** The page, or undefined when none has this id. */
  async find(id: string): Promise<Page | undefined> {
    return find(this.database, storable(id));
  }

  /** Ids of up to 100 pages whose id or title starts like this, by title. */
  async idsStartingWith(text: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `select id from pages
        where starts_with(id, $1) or starts_with(lower(title), lower($1)) order by title, id limit 100`,
      [storable(text)],
    );
    return rows.map(({ id }) => id);
  }

  /** @throws {PagePlaceError} no page has the id `parentId` */
  async create({ title, content, parentId }: NewPage): Promise<Page> {
    return this.database.transaction(async (queries) => {
      if (parentId !== undefined) await requireParent(queries, storable(parentId));
      const [row] = await queries.query<PageRow>(
        `insert into pages (title, content, parent_id) values ($1, $2, $3) returning *`,
        [storable(title), storable(content), parentId ?? null],
      );
      return toPage(row!, []);
    });
  }

  /**
   * Changes a page; undefined when none has this id.
   * @throws {PagePlaceError} the new parent does not exist, or lies below the page itself
   */
  async update(id: string, { title, content, parentId }: PageChanges): Promise<Page | undefined> {
    return this.database.transaction(async (queries) => {
      if (typeof parentId === 'string') await requireParent(queries, storable(parentId), storable(id));
      await queries.query(
        `update pages
            set title = coalesce($2, title), content = coalesce($3, content),
                parent_id = case when $4 then $5 else parent_id end, updated_at = now()
          where id = $1`,
        [storable(id), maybe(title), maybe(content), parentId !== undefined, maybe(parentId ?? undefined)],
      );
      return find(queries, storable(id));
    });
  }

  /** Deletes a page; the pages below it move to the top. False when none has this id. */
  async delete(id: string): Promise<boolean> {
    const deleted = await this.database.query(`delete from pages where id = $1 returning id`, [storable(id)]);
    return deleted.length > 0;
  }

  /** True once `importOnce` has succeeded, in this process or an earlier one. */
  async hasImported(): Promise<boolean> {
    return (await this.database.query(`select 1 from page_imports`)).length > 0;
  }

  /**
   * Brings pages in unless that has happened before. All or nothing: after a failure or a crash the next call starts
   * again from nothing.
   * @returns how many pages came in
   */
  async importOnce(pages: AsyncIterable<ImportedPage>): Promise<number> {
    return this.database.transaction(async (queries) => {
      await queries.query(`select pg_advisory_xact_lock($1)`, [IMPORT_LOCK]);
      if ((await queries.query(`select 1 from page_imports`)).length > 0) return 0;
      let count = 0;
      for await (const { source, title, content } of pages) {
        await queries.query(`insert into pages (source, title, content) values ($1, $2, $3)`, [
          storable(source),
          storable(title),
          storable(content),
        ]);
        count += 1;
      }
      await queries.query(`insert into page_imports (pages) values ($1)`, [count]);
      return count;
    });
  }

  /** Called by the kernel when the server closes. */
  async onDispose(): Promise<void> {
    await this.database.close();
  }
}

async function find(queries: Queries, id: string): Promise<Page | undefined> {
  const [row] = await queries.query<PageRow>(`select * from pages where id = $1`, [id]);
  if (row === undefined) return undefined;
  const children = await queries.query<PageLink>(
    `select id, title from pages where parent_id = $1 order by title, id limit 500`,
    [id],
  );
  return toPage(row, children);
}

/** Fails unless the parent exists and does not lie below `id`, which would cut both off from the tree. */
async function requireParent(queries: Queries, parentId: string, id?: string): Promise<void> {
  const ancestors = await queries.query<{ id: string }>(
    `with recursive upwards as (
       select id, parent_id from pages where id = $1
       union
       select pages.id, pages.parent_id from pages join upwards on pages.id = upwards.parent_id
     )
     select id from upwards`,
    [parentId],
  );
  if (ancestors.length === 0) throw new PagePlaceError(`No page has the id ${parentId}.`);
  if (ancestors.some((ancestor) => ancestor.id === id)) {
    throw new PagePlaceError(`Page ${parentId} lies below page ${id}; a page cannot lie below itself.`);
  }
}

function toPage(row: PageRow, children: PageLink[]): Page {
  return {
    id: row.id,
    title: row.title,
    url: pageUrl(row.id),
    content: row.content,
    parentId: row.parent_id,
    children,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Postgres text cannot hold the character NUL. */
function storable(text: string): string {
  return text.replaceAll('\0', '');
}

function maybe(text: string | undefined): string | null {
  return text === undefined ? null : storable(text);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
