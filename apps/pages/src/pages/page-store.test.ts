import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../database/database.js';
import { openPglite } from '../database/pglite-database.js';
import { describePageStore } from '../../test/page-store-contract.js';

describe('the page store on embedded Postgres', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pages-store-'));
  let database: Database;

  beforeAll(async () => {
    database = await openPglite(folder);
  });

  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  describePageStore(() => database);
});
