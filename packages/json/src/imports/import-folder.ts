import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../files/make-folder.js';

/** What an import keeps for the next one, beside the generated texts. */
export interface ImportRecord {
  readonly format: 1;
  readonly title: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** The name of each tool by the key of what it was made from. */
  readonly tools: Readonly<Record<string, string>>;
  /** What callers of each tool depend on, in the form of the lock. */
  readonly contract: readonly object[];
}

const RECORD = 'import.json';
/** No compiler and no formatter takes such a file for a source. */
const ENDING = '.txt';

/**
 * The folder that an import writes. What it keeps for the next one is in a folder of its own there, such as `.openapi`. Editors
 * and git save files with other ends of lines, or with a mark at the beginning. Nobody changed a line then, so texts are read
 * without them, and a file keeps its own.
 */
export class ImportFolder {
  constructor(
    private readonly path: string,
    readonly kept: string,
  ) {}

  /** The record of the last import; undefined if there is none that can be read. */
  record(): ImportRecord | undefined {
    const text = this.readFile(join(this.kept, RECORD));
    try {
      const record = JSON.parse(text ?? '') as ImportRecord;
      return record.format === 1 ? record : undefined;
    } catch {
      return undefined;
    }
  }

  /** The generated texts of the last import by path. */
  base(): Map<string, string> {
    const names = this.namesIn(this.kept).filter((name) => name.endsWith(ENDING));
    return new Map(
      names.map((name) => [
        name.slice(0, -ENDING.length),
        plainText(this.readFile(join(this.kept, name)) ?? ''),
      ]),
    );
  }

  /** The files that are there, apart from what an import keeps. */
  files(): string[] {
    return this.namesIn('.').filter((name) => name !== this.kept);
  }

  current(name: string): string | undefined {
    const text = this.readFile(name);
    return text === undefined ? undefined : plainText(text);
  }

  /** Writes the merged files, and keeps the generated ones for the next import. */
  write(
    merged: ReadonlyMap<string, string | undefined>,
    generated: ReadonlyMap<string, string>,
    record: ImportRecord,
  ): void {
    for (const [name, text] of merged) {
      if (text === undefined) rmSync(join(this.path, name), { force: true });
      else if (this.current(name) !== text) this.writeFile(name, asBefore(this.readFile(name), text));
    }
    for (const name of this.namesIn(this.kept))
      if (name.endsWith(ENDING) && !generated.has(name.slice(0, -ENDING.length)))
        rmSync(join(this.path, this.kept, name));
    for (const [name, text] of generated) this.writeFile(join(this.kept, name + ENDING), text);
    this.writeFile(join(this.kept, RECORD), `${JSON.stringify(record, null, 1)}\n`);
  }

  private namesIn(folder: string): string[] {
    const path = join(this.path, folder);
    return existsSync(path) && statSync(path).isDirectory() ? readdirSync(path).sort() : [];
  }

  private readFile(name: string): string | undefined {
    try {
      return readFileSync(join(this.path, name), 'utf8');
    } catch {
      return undefined;
    }
  }

  private writeFile(name: string, text: string): void {
    const path = join(this.path, name);
    makeFolder(dirname(path));
    writeFileSync(path, text);
  }
}

const MARK = '\ufeff';

const plainText = (text: string) => (text.startsWith(MARK) ? text.slice(1) : text).replaceAll('\r\n', '\n');

/** A text with the mark and the ends of lines that its file has. A file of both kinds has those of its first line. */
function asBefore(before: string | undefined, text: string): string {
  const lines = /^[^\n]*\r\n/.test(before ?? '') ? text.replaceAll('\n', '\r\n') : text;
  return before?.startsWith(MARK) ? MARK + lines : lines;
}
