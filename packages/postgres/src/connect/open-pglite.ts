import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type { PgliteClient } from './connection-options.js';

/** A `PGlite` that belongs to whoever has opened it. */
export interface OpenedPglite extends PgliteClient {
  close(): Promise<void>;
}

/**
 * Opens the folder of a `PGlite`, for commands about an app that does not run. The folder is never made.
 *
 * @param folder the data folder that the app gives to `new PGlite(…)`
 * @param app the folder of the app, whose PGlite is used: another version may not read the data
 * @throws {Error} when there is no such database, or a process may have it open: two would destroy it
 */
export async function openPglite(folder: string, app = process.cwd()): Promise<OpenedPglite> {
  const place = resolve(app, folder);
  if (!existsSync(join(place, 'PG_VERSION'))) throw new Error(`There is no PGlite database in ${folder}.`);
  const mark = join(place, 'postmaster.pid');
  if (existsSync(mark))
    throw new Error(
      `A process has the PGlite database in ${folder} open. Stop the app first. If none runs, the last one was killed: delete ${mark}.`,
    );
  const from = createRequire(join(app, 'package.json'));
  let path: string;
  try {
    path = from.resolve('@electric-sql/pglite');
  } catch {
    throw new Error('This folder has no @electric-sql/pglite. Run the command in the folder of the app.');
  }
  const { PGlite } = from(path) as {
    PGlite: new (folder: string) => OpenedPglite & { waitReady: Promise<void> };
  };
  const pglite = new PGlite(place);
  await pglite.waitReady;
  return pglite;
}
