import { systemClock } from '@toolwright/core/ports';
import { openPglite } from '@toolwright/postgres';
import { address, type Database, openDatabase } from '@toolwright/postgres/database';
import { reasonOf, readUrl } from '@toolwright/json';
import { TablesError } from '../errors.js';
import type { DatabaseCatalogue } from './catalogue.js';
import { readCatalogue } from './read-catalogue.js';

/** A large database has thousands of tables, and its catalogue takes a while. */
const READ_MS = 60_000;
const PGLITE = 'pglite:';

/**
 * Reads the catalogue of a database.
 *
 * @param place a URL, or `pglite:` and the folder of a PGlite
 * @param cwd the folder of the app
 * @throws {TablesError} with one line that has no password
 */
export async function openCatalogue(place: string, cwd: string): Promise<DatabaseCatalogue> {
  const isEmbedded = place.startsWith(PGLITE);
  if (!isEmbedded && !address.accepts(place))
    throw new TablesError('TW_TABLES_CATALOGUE', `The address is not ${address.expected}.`);
  try {
    return isEmbedded ? await readEmbedded(place.slice(PGLITE.length), cwd) : await readAt(place);
  } catch (error) {
    throw new TablesError('TW_TABLES_CATALOGUE', withoutPassword(reasonOf(error), place));
  }
}

async function readAt(url: string): Promise<DatabaseCatalogue> {
  const database = await openDatabase({ url, clock: systemClock, timeout: READ_MS, connections: 1 });
  return readAndClose(database, () => database.close());
}

async function readEmbedded(folder: string, cwd: string): Promise<DatabaseCatalogue> {
  const pglite = await openPglite(folder, cwd);
  const database = await openDatabase({ pglite, clock: systemClock, timeout: READ_MS });
  return readAndClose(database, () => pglite.close());
}

async function readAndClose(database: Database, close: () => Promise<void>): Promise<DatabaseCatalogue> {
  try {
    return await readCatalogue(database);
  } finally {
    await close();
  }
}

/** No driver writes the password into an error. If one does, it goes no further. */
function withoutPassword(message: string, place: string): string {
  const password = readUrl(place)?.password ?? '';
  if (password === '') return message;
  return message.replaceAll(password, '…').replaceAll(decoded(password), '…');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
