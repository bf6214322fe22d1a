import { constants } from 'node:fs';
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type SkillProblem, skillProblem } from './errors.js';

/** A file of a folder, with its content. */
export interface FolderFile {
  /** Its path in the folder, as names: `['references', 'FORMS.md']`. */
  readonly path: readonly string[];
  readonly bytes: Buffer;
}

/** What a server keeps of all skills of a folder in memory. */
const LARGEST_FOLDER = 64 * 1024 * 1024;

/** Nobody nests skills as deep as this. */
const DEEPEST = 16;

/**
 * Reads all files of a folder, once. A client can then name what it wants: nothing that it sends ever becomes a path.
 *
 * Names that begin with a dot are left out. A link is a problem, because it may lead out of the folder.
 */
export async function readFolder(
  folder: string,
): Promise<{ readonly files: readonly FolderFile[]; readonly problems: readonly SkillProblem[] }> {
  const reading = new Reading(folder);
  try {
    await reading.readAll(await realpath(folder), []);
  } catch (error) {
    reading.problems.push(
      skillProblem(
        `The folder of skills ${folder} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`,
        'Name a folder that exists. A relative path begins at the working directory of the process.',
      ),
    );
  }
  return reading;
}

class Reading {
  readonly files: FolderFile[] = [];
  readonly problems: SkillProblem[] = [];
  private left = LARGEST_FOLDER;

  constructor(private readonly folder: string) {}

  async readAll(at: string, path: readonly string[]): Promise<void> {
    const entries = await readdir(at, { withFileTypes: true });
    // The order of a folder differs between file systems.
    entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    for (const entry of entries) {
      if (entry.name.startsWith('.')) continue;
      const inner = [...path, entry.name];
      if (entry.isDirectory() && inner.length < DEEPEST) await this.readAll(join(at, entry.name), inner);
      else if (entry.isFile()) await this.readFile(join(at, entry.name), inner);
      else this.refuse(inner, entry.isDirectory() ? 'is nested too deep' : 'is a link, or no file');
      if (this.left < 0) return;
    }
  }

  private async readFile(at: string, path: readonly string[]): Promise<void> {
    let file: FileHandle | undefined;
    try {
      // Somebody may put a link in its place after the folder was listed.
      file = await open(at, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
      const { size } = await file.stat();
      if ((this.left -= size) < 0) return this.refuse(path, 'is where the folder gets larger than 64 MiB');
      this.files.push({ path, bytes: await file.readFile() });
    } catch (error) {
      this.refuse(path, `cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
    } finally {
      await file?.close();
    }
  }

  private refuse(path: readonly string[], why: string): void {
    this.problems.push(
      skillProblem(
        `${join(this.folder, ...path)} ${why}.`,
        'A folder of skills holds files and folders only. Copy what a link leads to, or move it out of the folder.',
      ),
    );
  }
}
