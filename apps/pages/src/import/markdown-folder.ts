import { isUtf8 } from 'node:buffer';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ImportedPage } from '../pages/page-store.js';
import { markdownTitle } from './markdown-title.js';

/** Larger files are data, not pages. Bytes. */
const MAX_FILE_SIZE = 1024 * 1024;

/** Told what happens, for a person to watch. */
export interface ImportProgress {
  imported(done: number, total: number, source: string): void;
  skipped(source: string, reason: string): void;
}

/**
 * The Markdown files below a folder, in path order; hidden folders and `node_modules` are left out.
 * @returns paths relative to the folder
 */
export async function listMarkdown(folder: string): Promise<string[]> {
  const found: string[] = [];
  const visit = async (directory: string): Promise<void> => {
    for (const entry of await readdir(directory, { withFileTypes: true })) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const path = join(directory, entry.name);
      // Symbolic links are not followed: a loop of them would never end.
      if (entry.isDirectory()) await visit(path);
      else if (entry.isFile() && /\.(md|markdown)$/i.test(entry.name)) found.push(relative(folder, path));
    }
  };
  await visit(folder);
  return found.sort();
}

/** Reads the files one at a time: a large folder never lies in memory as a whole. */
export async function* readMarkdown(
  folder: string,
  files: string[],
  progress: ImportProgress,
): AsyncGenerator<ImportedPage> {
  for (const [index, file] of files.entries()) {
    const path = join(folder, file);
    const source = file.split(sep).join('/');
    if ((await stat(path)).size > MAX_FILE_SIZE) {
      progress.skipped(source, 'larger than 1 MiB');
      continue;
    }
    const bytes = await readFile(path);
    if (!isUtf8(bytes)) {
      progress.skipped(source, 'not UTF-8 text');
      continue;
    }
    const content = bytes.toString();
    yield { source, title: markdownTitle(content, file), content };
    progress.imported(index + 1, files.length, source);
  }
}
