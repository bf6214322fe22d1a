import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type RecordStore, type ServerStores, systemClock } from '@toolwright/core/ports';

/** The packages that have stores, by the protocol of their address. */
const packages: Readonly<Record<string, readonly [name: string, member: string]>> = {
  'postgres:': ['@toolwright/postgres', 'postgresStores'],
  'postgresql:': ['@toolwright/postgres', 'postgresStores'],
  'redis:': ['@toolwright/redis', 'redisStores'],
  'rediss:': ['@toolwright/redis', 'redisStores'],
};

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** The records that an app keeps at this address, through the package that the app has installed. */
export async function openRecords(
  url: string,
  directory = process.cwd(),
): Promise<{ records: RecordStore; close(): Promise<void> }> {
  const [name, member] = (URL.canParse(url) && packages[new URL(url).protocol]) || [];
  if (name === undefined || member === undefined)
    throw new Error('The address of the store begins with postgres://, redis:// or rediss://.');
  const resolve = createRequire(join(directory, 'package.json'));
  let path: string;
  try {
    path = resolve.resolve(name);
  } catch {
    throw new Error(`This folder has no ${name}. Run the command in the folder of the app.`);
  }
  const open = (resolve(path) as Record<string, (options: { url: string }) => ServerStores>)[member]!;
  const stores = open({ url });
  await stores.open?.({ clock: systemClock, logger: silent });
  return { records: stores.records!, close: async () => stores.close?.() };
}
