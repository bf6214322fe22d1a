import {
  schemaOf,
  type JsonSchema,
  type Manifest,
  type ManifestClass,
  type ManifestEntry,
} from '@toolwright/manifest';

/** A class of a manifest, with its decorated methods. */
export interface ClassEntry {
  readonly manifest: LoadedManifest;
  readonly key: string;
  readonly definition: ManifestClass;
  readonly entries: readonly ManifestEntry[];
  /** The entry of a method. */
  entry(method: MethodName): ManifestEntry | undefined;
}

/** A method by its name; static ones may share theirs with another. */
export interface MethodName {
  readonly method: string;
  readonly static?: boolean;
}

/** A manifest that is ready to bind to: where it came from, and its entries by class. */
export class LoadedManifest {
  /** Classes with decorated methods. */
  readonly classes: ReadonlyMap<string, ClassEntry>;
  #merged: Manifest;
  #isMerged = false;

  /**
   * @param source its path, or what else to call it in messages
   * @param directory what the paths in it are relative to; undefined when nobody knows
   */
  constructor(
    readonly manifest: Manifest,
    readonly source: string,
    readonly directory: string | undefined,
  ) {
    this.#merged = manifest;
    const byClass = new Map<string, ManifestEntry[]>();
    for (const entry of manifest.entries) {
      const known = byClass.get(entry.class);
      if (known) known.push(entry);
      else if (manifest.classes[entry.class]) byClass.set(entry.class, [entry]);
    }
    this.classes = new Map([...byClass].map(([key, entries]) => [key, this.classEntry(key, entries)]));
  }

  private classEntry(key: string, entries: readonly ManifestEntry[]): ClassEntry {
    const byMethod = new Map<string, ManifestEntry>();
    for (const entry of entries) byMethod.set(nameOf(entry), entry);
    const definition = this.manifest.classes[key]!;
    return { manifest: this, key, definition, entries, entry: (method) => byMethod.get(nameOf(method)) };
  }

  schema(id: string): JsonSchema | undefined {
    return schemaOf(this.#merged, id);
  }

  /** Completes the schemas with what only the run time knows, when the first service is bound. */
  async mergeOnce(merge: (loaded: LoadedManifest) => Promise<Manifest>): Promise<void> {
    if (this.#isMerged) return;
    this.#isMerged = true;
    this.#merged = await merge(this);
  }
}

function nameOf({ method, static: isStatic }: MethodName): string {
  return isStatic ? `::${method}` : method;
}
