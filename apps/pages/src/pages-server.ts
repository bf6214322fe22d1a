import { join } from 'node:path';
import { createMcpServer, type McpServer } from '@toolwright/core';
import type { Database } from './database/database.js';
import { LazyDatabase } from './database/lazy-database.js';
import { openPglite } from './database/pglite-database.js';
import { openPostgres } from './database/postgres-database.js';
import { importOnFirstStart } from './import/import-on-first-start.js';
import { TerminalProgress } from './import/terminal-progress.js';
import { PageStore } from './pages/page-store.js';
import type { Settings } from './settings.js';
import { PageReading } from './tools/page-reading.js';
import { PageTools } from './tools/page-tools.js';

/** The server, and the database behind it: not open yet, it opens (and is filled, if empty) at its first use. */
export interface PagesServer {
  server: McpServer;
  database: LazyDatabase;
}

export async function createPagesServer(settings: Settings): Promise<PagesServer> {
  const database = new LazyDatabase(() => openWorkspace(settings));
  const server = await createMcpServer({
    name: 'pages',
    about: { title: 'Pages' },
    version: '1.0.0',
    instructions:
      'A workspace of Markdown pages. Find pages with search_pages, then read them with get_page.',
    services: [PageTools, PageReading],
    // A factory, so that the container closes the store when the server closes.
    providers: [{ provide: PageStore, useFactory: () => new PageStore(database) }],
    audit: { file: join(settings.dataFolder, 'audit.jsonl') },
  });
  return { server, database };
}

async function openWorkspace({ databaseUrl, dataFolder, importFolder }: Settings): Promise<Database> {
  const progress = new TerminalProgress(process.stderr);
  const database =
    databaseUrl === undefined
      ? await openPglite(dataFolder, () => progress.note(`creating the database in ${dataFolder}`))
      : await openPostgres(databaseUrl);
  try {
    await importOnFirstStart(new PageStore(database), importFolder, progress);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
