import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What the environment decides. */
export interface Settings {
  /** TCP port; 0 takes a free one. */
  port: number;
  /** Folder of the embedded database and the audit log. */
  dataFolder: string;
  /** Folder of Markdown files for the first start; undefined for none. */
  importFolder: string | undefined;
  /** A Postgres server to use instead of the embedded one. */
  databaseUrl: string | undefined;
}

/** Thrown for a setting that cannot be used; the message names it and says what is expected. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** This app's folder: the compiled file lies in its `dist`. */
const appFolder = join(__dirname, '..');

/**
 * Reads PORT, PAGES_DATA, PAGES_IMPORT and DATABASE_URL.
 * @throws {SettingsError}
 */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  return {
    port: readPort(environment.PORT),
    dataFolder: resolve(environment.PAGES_DATA || join(appFolder, '.data')),
    importFolder: readImportFolder(environment.PAGES_IMPORT),
    databaseUrl: environment.DATABASE_URL || undefined,
  };
}

function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return 3000;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535))
    throw new SettingsError(`PORT: expected a number from 0 to 65535, received "${text}".`);
  return port;
}

function readImportFolder(text: string | undefined): string | undefined {
  if (text === '') return undefined;
  if (text !== undefined) return resolve(text);
  // The default is the repository's own guides; an app deployed without them starts empty.
  const docs = join(appFolder, '..', '..', 'docs');
  return existsSync(docs) ? docs : undefined;
}
