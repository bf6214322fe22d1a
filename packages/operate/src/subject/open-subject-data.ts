import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { OpenSubjectSource, ServerStores, SubjectPlace, SubjectSource } from '@toolwright/core/ports';
import { SubjectData } from './subject-data.js';

/**
 * The packages of an app that may keep something about a subject, with the entry whose `subjectSource` finds it. A
 * package that the app does not have keeps nothing.
 */
const sources: readonly string[] = [
  '@toolwright/core/operate',
  '@toolwright/identity/commands',
  '@toolwright/tasks',
];

/** Where an app keeps what its processes share. */
export interface SubjectAddresses {
  readonly database?: string | undefined;
  /** The folder of a PGlite. */
  readonly pglite?: string | undefined;
  readonly schema?: string | undefined;
  readonly taskSchema?: string | undefined;
  readonly redis?: string | undefined;
  readonly redisPrefix?: string | undefined;
  readonly secrets: readonly string[];
  readonly server?: string | undefined;
  readonly proxy?: string | undefined;
}

type Stores = ServerStores & { close(): Promise<void> };

/** All that an app has kept about subjects, through the packages in its folder. */
export async function openSubjectData(addresses: SubjectAddresses, directory: string): Promise<SubjectData> {
  const app = new InstalledPackages(directory);
  const { database, schema, redis, redisPrefix } = addresses;
  const opened: { close?(): unknown }[] = [];
  const notes: string[] = [];
  try {
    const inSchema = { migrate: false, ...(schema !== undefined && { schema }) };
    const stores: Stores[] = [];
    const add = async (name: 'postgres' | 'redis', options: object) => {
      const added = await app.openStores(name, options, notes);
      stores.push(...added);
      opened.push(...added);
    };
    if (database !== undefined) await add('postgres', { url: database, ...inSchema });
    if (addresses.pglite !== undefined) {
      const pglite = await app.openPglite(addresses.pglite);
      opened.push(pglite);
      await add('postgres', { pglite, ...inSchema });
    }
    if (redis !== undefined)
      await add('redis', { url: redis, ...(redisPrefix !== undefined && { prefix: redisPrefix }) });
    const place: SubjectPlace = {
      stores,
      secrets: addresses.secrets,
      database,
      taskSchema: addresses.taskSchema,
      server: addresses.server,
      proxy: addresses.proxy,
    };
    const found: OpenSubjectSource[] = [];
    const unopened: string[] = [];
    for (const entry of sources)
      // A package that cannot work here, such as one that needs a newer Node.js, must not keep the others from it.
      try {
        const source = app.load(entry)?.['subjectSource'] as SubjectSource | undefined;
        const open = source && (await unlessWithoutTables(() => source.open(place), { what: entry, notes }));
        if (!open) continue;
        opened.push(open);
        found.push(open);
      } catch (error) {
        unopened.push(`what ${entry} keeps: ${(error as Error).message}`);
      }
    const beside = found.flatMap(({ unsearched = [] }) => unsearched);
    const records = found.flatMap((each) => each.records);
    return new SubjectData(records, { notes, beside, unopened }, opened);
  } catch (error) {
    for (const each of opened.reverse()) await each.close?.();
    throw error;
  }
}

/** The packages as the code of the app finds them. */
class InstalledPackages {
  readonly #require: NodeJS.Require;

  constructor(private readonly directory: string) {
    this.#require = createRequire(join(directory, 'package.json'));
  }

  /** @returns `undefined` when the package is not installed */
  load(entry: string): Readonly<Record<string, unknown>> | undefined {
    let path: string;
    try {
      path = this.#require.resolve(entry);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
      throw error;
    }
    return this.#require(path) as Readonly<Record<string, unknown>>;
  }

  /** The database in the folder of a PGlite. */
  openPglite(folder: string): Promise<{ close(): Promise<void> }> {
    const module = this.#loadOrFail('@toolwright/postgres') as {
      openPglite(folder: string, app: string): Promise<{ close(): Promise<void> }>;
    };
    return module.openPglite(folder, this.directory);
  }

  /** @returns the stores, or none when the database has no tables of theirs */
  async openStores(name: 'postgres' | 'redis', options: object, notes: string[]): Promise<Stores[]> {
    const module = this.#loadOrFail(`@toolwright/${name}`);
    const stores = (module as Record<string, (given: object) => Stores>)[`${name}Stores`]!(options);
    const { silentLogger: logger, systemClock: clock } = this.load('@toolwright/core/ports') as CorePorts;
    const ports = { clock, logger };
    const open = () => Promise.resolve(stores.open?.(ports)).then(() => stores);
    const isThere = await unlessWithoutTables(open, { what: `@toolwright/${name}`, notes });
    return isThere ? [stores] : [];
  }

  #loadOrFail(name: string): object {
    const module = this.load(name);
    if (module) return module;
    throw new Error(`This folder has no ${name}. Run the command in the folder of the app.`);
  }
}

type CorePorts = typeof import('@toolwright/core/ports');

/** A database that has no tables of a package keeps nothing of it. People hear of it, because the schema may be wrong. */
async function unlessWithoutTables<T>(
  open: () => T | Promise<T>,
  { what, notes }: { what: string; notes: string[] },
): Promise<T | undefined> {
  try {
    return await open();
  } catch (error) {
    // The tables are made by the first process of the app that uses them.
    if (!/have version 0,/.test((error as Error).message)) throw error;
    notes.push(`The database has no tables of ${what} in this schema, so nothing was looked for there.`);
    return undefined;
  }
}
