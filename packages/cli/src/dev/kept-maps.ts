import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRIVATE_FILE } from '../changes/private-file.js';

/** Where the app's process finds the maps: the variable has the path of the file, and the file has pairs in JSON. */
export const KEPT_MAPS = 'TOOLWRIGHT_DEV_MAPS';

type Maps = Iterable<readonly [module: string, text: string]>;

/**
 * The source maps of a project that writes none, in a file outside of it, so that the app's process can print places of
 * sources. A file and not a message: an app that fails while it loads has read no message.
 */
export class KeptMaps {
  /** The file exists only while there are maps to keep. */
  readonly file = join(tmpdir(), `toolwright-dev-${randomUUID()}.json`);
  readonly #texts = new Map<string, string>();

  /** @param maps of the modules that were compiled again */
  take(maps: Maps): void {
    for (const [module, text] of maps) this.#texts.set(module, text);
    if (this.#texts.size > 0)
      writeFileSync(this.file, JSON.stringify([...this.#texts]), { mode: PRIVATE_FILE });
  }

  close(): void {
    rmSync(this.file, { force: true });
  }
}

/** @returns a function that gives the maps of the file, or none if the file is as it was at the call before */
export function mapsIn(file: string): () => Maps {
  let given: number | undefined;
  return () => {
    const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (written === undefined || written === given) return [];
    given = written;
    return JSON.parse(readFileSync(file, 'utf8')) as [string, string][];
  };
}
