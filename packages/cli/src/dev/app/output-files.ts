import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { currentText } from '../../changes/current-text.js';
import { writeAtomically } from '../../changes/write-atomically.js';

/** The compiled files. They can be restored to the state in which the app last ran well. */
export class OutputFiles {
  /** The earlier text of changed files; undefined for files that did not exist. */
  private readonly former = new Map<string, string | undefined>();

  /** @param files text by path; undefined removes the file */
  write(files: Iterable<readonly [path: string, text: string | undefined]>): void {
    for (const [path, text] of files) this.put(path, text);
  }

  /** Call this when the app runs well with the new files. */
  keep(): void {
    this.former.clear();
  }

  /** @returns what was written, so that it can be written again with the next change */
  rollBack(): ReadonlyMap<string, string | undefined> {
    const undone = new Map([...this.former.keys()].map((path) => [path, currentText(path)]));
    for (const [path, text] of this.former) set(path, text);
    this.former.clear();
    return undone;
  }

  private put(path: string, text: string | undefined): void {
    const known = currentText(path);
    if (known === text) return;
    if (!this.former.has(path)) this.former.set(path, known);
    set(path, text);
  }
}

function set(path: string, text: string | undefined): void {
  if (text === undefined) return rmSync(path, { force: true });
  writeAtomically(path, text, dirname(path));
}
