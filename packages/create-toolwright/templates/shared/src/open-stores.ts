import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { postgresStores, type PostgresStores } from '@toolwright/postgres';

/**
 * What this server keeps besides the notes.
 *
 * - `DATABASE_URL`: the PostgreSQL that keeps it. Without it, an embedded one in the folder `stores` does.
 * - `SECRETS`: seals what is kept. Without it, the file `secrets` has one that is made at the first start.
 *
 * @param folder the folder of the data
 */
export async function openStores(folder: string): Promise<OpenedStores> {
  mkdirSync(folder, { recursive: true });
  const secrets = (process.env['SECRETS'] || ownSecret(join(folder, 'secrets'))).split(/\s+/).filter(Boolean);
  const url = process.env['DATABASE_URL'];
  const stores = url ? postgresStores({ url }) : await embeddedStores(join(folder, 'stores'));
  return { stores, secrets };
}

/** The server opens and closes the stores. */
export interface OpenedStores {
  stores: PostgresStores;
  secrets: string[];
}

async function embeddedStores(folder: string): Promise<PostgresStores> {
  const pglite = await PGlite.create(folder);
  const stores = postgresStores({ pglite });
  return {
    ...stores,
    async close() {
      await stores.close();
      await pglite.close();
    },
  };
}

/** Only the user of this process can read it. */
function ownSecret(file: string): string {
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  return readFileSync(file, 'utf8');
}
