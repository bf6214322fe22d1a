import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { UpstreamCatalogue, ListKind } from './read-catalogue.js';

type Definition = Readonly<Record<string, unknown>>;

/** A change of a server behind that our clients do not see before somebody accepts it. */
export interface HeldChange {
  readonly kind: ListKind;
  readonly name: string;
  /** What is new: `new`, or the members that differ, such as `description`. */
  readonly changed: readonly string[];
}

interface LockFile {
  readonly lockVersion: 1;
  readonly mounts: Record<string, Record<string, Definition>>;
}

/**
 * The tools and prompts of a server behind as they were accepted. A server that changes one of them later gets the new form
 * to nobody: clients go on with the old one. Resources change by their nature and are not pinned.
 */
export class Pins {
  #accepted: Map<string, Definition>;
  #seen = new Map<string, Definition>();
  /** With a file, what is new is held back, too. The first catalogue ever is accepted. */
  #isFirst: boolean;

  /** @param file keeps them over restarts; several mounts may share it */
  constructor(
    private readonly mount: string,
    private readonly file: string | undefined,
  ) {
    const known = file === undefined ? undefined : read(file).mounts[mount];
    this.#accepted = new Map(Object.entries(known ?? {}));
    this.#isFirst = known === undefined;
  }

  /** What our clients get of a catalogue, and what they do not. */
  hold(catalogue: UpstreamCatalogue): { catalogue: UpstreamCatalogue; held: HeldChange[] } {
    const held: HeldChange[] = [];
    const isClosed = this.file !== undefined && !this.#isFirst;
    const pinned = (kind: ListKind, all: readonly Definition[]) =>
      all.flatMap((definition) => {
        const name = definition['name'] as string;
        const key = `${kind} ${name}`;
        this.#seen.set(key, definition);
        const accepted = this.#accepted.get(key);
        if (!accepted && isClosed) {
          held.push({ kind, name, changed: ['new'] });
          return [];
        }
        if (!accepted) this.#accepted.set(key, definition);
        const changed = accepted ? differences(accepted, definition) : [];
        if (changed.length > 0) held.push({ kind, name, changed });
        return [accepted ?? definition];
      });
    this.#seen.clear();
    const tools = pinned('tool', catalogue.tools);
    const prompts = pinned('prompt', catalogue.prompts);
    if (this.#isFirst && this.file !== undefined) this.#write();
    this.#isFirst = false;
    return { catalogue: { ...catalogue, tools, prompts }, held };
  }

  /** Accepts what the server offers now. */
  accept(): void {
    this.#accepted = new Map(this.#seen);
    if (this.file !== undefined) this.#write();
  }

  /** Another mount may have written since, so the file is read again. */
  #write(): void {
    const { mounts } = read(this.file!);
    const mine = Object.fromEntries([...this.#accepted].sort(([one], [other]) => (one < other ? -1 : 1)));
    const text = JSON.stringify({ lockVersion: 1, mounts: { ...mounts, [this.mount]: mine } }, null, 2);
    writeFileSync(`${this.file!}.new`, `${text}\n`);
    renameSync(`${this.file!}.new`, this.file!);
  }
}

function read(file: string): LockFile {
  if (!existsSync(file)) return { lockVersion: 1, mounts: {} };
  return JSON.parse(readFileSync(file, 'utf8')) as LockFile;
}

/** The members of a definition that a client acts on. */
function differences(before: Definition, after: Definition): string[] {
  return [
    'title',
    'description',
    'inputSchema',
    'outputSchema',
    'annotations',
    'arguments',
    'execution',
    '_meta',
  ].filter((member) => canonical(before[member]) !== canonical(after[member]));
}

/** Servers may write members in another order each time they start. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, each: unknown) =>
      typeof each === 'object' && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
        : each,
    ) ?? ''
  );
}
