import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { ServerOptions } from '@toolwright/core';
import { type ApiKeys, apiKeys } from '@toolwright/identity';
import { postgresStores, type PostgresStores } from '@toolwright/postgres';

/**
 * The API keys of this server.
 *
 * - `DATABASE_URL`: the PostgreSQL that keeps them. Without it, an embedded one in the folder `keys` does.
 * - `SECRETS`: seals what is kept. Without it, the file `secrets` has one that is made at the first start.
 *
 * @param folder the folder of the data
 */
export async function openKeys(folder: string): Promise<OpenedKeys> {
  mkdirSync(folder, { recursive: true });
  const secrets = (process.env['SECRETS'] || ownSecret(join(folder, 'secrets'))).split(/\s+/).filter(Boolean);
  const url = process.env['DATABASE_URL'];
  const stores = url ? postgresStores({ url }) : await embeddedStores(join(folder, 'keys'));
  return { keys: apiKeys({ records: stores.records, secrets }), shared: { stores, secrets } };
}

interface OpenedKeys {
  keys: ApiKeys;
  /** The server opens and closes the stores. */
  shared: Pick<ServerOptions, 'stores' | 'secrets'>;
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
