import { stat } from 'node:fs/promises';
import type { PageStore } from '../pages/page-store.js';
import { SettingsError } from '../settings.js';
import { type ImportProgress, listMarkdown, readMarkdown } from './markdown-folder.js';

/**
 * Fills an empty workspace with the Markdown files below `folder`; later starts leave it as the users made it.
 *
 * @param folder undefined for none: the workspace then starts empty
 * @throws {SettingsError} the folder does not exist, and it is the first start
 */
export async function importOnFirstStart(
  store: PageStore,
  folder: string | undefined,
  progress: ImportProgress,
): Promise<number> {
  if (folder === undefined || (await store.hasImported())) return 0;
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    throw new SettingsError(
      `PAGES_IMPORT: there is no folder ${folder}. Name a folder of Markdown files, or set PAGES_IMPORT to nothing to start empty.`,
    );
  }
  return store.importOnce(readMarkdown(folder, await listMarkdown(folder), progress));
}
