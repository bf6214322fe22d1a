import { readUrl } from '@toolwright/json';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type RecordStore, type ServerStores, systemClock, silentLogger } from '@toolwright/core/ports';

/** Where an app keeps its records. */
export interface RecordsAddress {
  readonly url?: string | undefined;
  /** The schema in PostgreSQL, if it is not the default one. */
  readonly schema?: string | undefined;
  /** What the keys in Redis begin with, if it is not the default. */
  readonly redisPrefix?: string | undefined;
  /** The folder of a PGlite, in place of an address. */
  readonly pglite?: string | undefined;
}

interface OpenedRecords {
  readonly records: RecordStore;
  close(): Promise<void>;
}

interface PostgresPackage {
  postgresStores(options: object): ServerStores;
  openPglite(folder: string, app: string): Promise<{ close(): Promise<void> }>;
}

const POSTGRES = '@toolwright/postgres';
const REDIS = '@toolwright/redis';

/** The records that an app keeps at this address, through the packages that the app has installed. */
export async function openRecords(at: RecordsAddress, app = process.cwd()): Promise<OpenedRecords> {
  const { url = '', schema, redisPrefix, pglite: folder } = at;
  const inSchema = schema !== undefined && { schema };
  if (folder !== undefined) {
    const { postgresStores, openPglite } = load(POSTGRES, app) as PostgresPackage;
    const pglite = await openPglite(folder, app);
    const close = () => pglite.close();
    return opened(postgresStores({ pglite, ...inSchema }), close).catch(async (error: unknown) => {
      await close();
      throw error;
    });
  }
  const protocol = readUrl(url)?.protocol ?? '';
  if (/^postgres(ql)?:$/.test(protocol)) {
    if (redisPrefix !== undefined)
      throw new Error('--redis-prefix is for Redis, and the store is PostgreSQL.');
    return opened((load(POSTGRES, app) as PostgresPackage).postgresStores({ url, ...inSchema }));
  }
  if (/^rediss?:$/.test(protocol)) {
    if (schema !== undefined) throw new Error('--schema is for PostgreSQL, and the store is Redis.');
    const { redisStores } = load(REDIS, app) as { redisStores(options: object): ServerStores };
    return opened(redisStores({ url, ...(redisPrefix !== undefined && { prefix: redisPrefix }) }));
  }
  throw new Error('The address of the store begins with postgres://, redis:// or rediss://.');
}

async function opened(stores: ServerStores, close = async () => {}): Promise<OpenedRecords> {
  await stores.open?.({ clock: systemClock, logger: silentLogger });
  return {
    records: stores.records!,
    async close() {
      await stores.close?.();
      await close();
    },
  };
}

function load(name: string, app: string): unknown {
  const from = createRequire(join(app, 'package.json'));
  let path: string;
  try {
    path = from.resolve(name);
  } catch {
    throw new Error(`This folder has no ${name}. Run the command in the folder of the app.`);
  }
  return from(path);
}
