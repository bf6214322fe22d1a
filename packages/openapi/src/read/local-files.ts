import { realpathSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireNamesOnce } from './repeated-names.js';
import { SpecificationError } from './specification-error.js';

/** Nobody means to import a larger file. */
const LARGEST_FILE = 64 * 1024 * 1024;

/** The files that a specification may consist of. Everything else is refused by name, and nothing is fetched. */
export class LocalFiles {
  private readonly folders: readonly string[];
  /** The first refusal. The reader of references hides what a resolver throws behind a text of its own. */
  refusal: SpecificationError | undefined;

  /** @param folders absolute paths: the folder of the specification, and what `--allow-ref` adds */
  constructor(folders: readonly string[]) {
    this.folders = folders.map((folder) => realpathSync(folder));
  }

  /**
   * Reads a file that a `$ref` names.
   *
   * @throws {SpecificationError} if it is outside of the folders, also by a link, or cannot be read
   */
  read(url: string): string {
    try {
      return this.readAllowed(url);
    } catch (error) {
      this.refusal ??= error as SpecificationError;
      throw error;
    }
  }

  private readAllowed(url: string): string {
    if (/^[a-z][a-z0-9+.-]+:/i.test(url) && !url.startsWith('file:') && !/^[a-z]:[\\/]/i.test(url))
      throw new SpecificationError(`The reference ${url} leaves this machine. Nothing is fetched.`);
    const path = url.startsWith('file:') ? fileURLToPath(url) : decodeURI(url);
    if (!this.holds(realPathOf(path)))
      throw new SpecificationError(
        `The reference ${path} leads out of the folder of the specification. Allow its folder with --allow-ref.`,
      );
    const text = readText(path);
    requireNamesOnce(path, text);
    const [, absolute] = ABSOLUTE.exec(text) ?? [];
    if (absolute !== undefined) throw absoluteReference(absolute);
    return text;
  }

  private holds(path: string): boolean {
    return this.folders.some((folder) => {
      const inside = relative(folder, path);
      return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
    });
  }
}

/** A reference by an absolute path, as it is written in JSON and YAML. */
const ABSOLUTE = /["']?\$ref["']?\s*:\s*["']?((?:\/|file:|[A-Za-z]:[\\/])[^"'\s,}]*)/;

/** Such a specification works on one machine only. */
export function absoluteReference(path: string): SpecificationError {
  return new SpecificationError(
    `The reference ${path} is absolute. Only relative files below the specification are read.`,
  );
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/**
 * The text of a file.
 *
 * @throws {SpecificationError} if it is missing, no file, or larger than 64 MB
 */
export function readText(path: string): string {
  try {
    const { size } = statSync(path);
    if (size > LARGEST_FILE)
      throw new SpecificationError(`${path} has ${Math.ceil(size / 1024 / 1024)} MB. The limit is 64 MB.`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof SpecificationError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const reason =
      code === 'ENOENT' ? 'does not exist' : code === 'EISDIR' ? 'is a folder' : 'cannot be read';
    throw new SpecificationError(`${path} ${reason}.`, { cause: error });
  }
}
