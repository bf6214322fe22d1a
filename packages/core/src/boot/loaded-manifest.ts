import type { JsonSchema, Manifest, ManifestClass, ManifestEntry } from '@toolwright/manifest';

/** A class of a manifest, with its decorated methods. */
export interface ClassEntry {
  readonly manifest: LoadedManifest;
  readonly key: string;
  readonly definition: ManifestClass;
  readonly entries: readonly ManifestEntry[];
}

/** A manifest that is ready to bind to: where it came from, and its entries by class. */
export class LoadedManifest {
  /** Classes with decorated methods. */
  readonly classes: ReadonlyMap<string, ClassEntry>;

  /**
   * @param source its path, or what else to call it in messages
   * @param directory what the paths in it are relative to; undefined when nobody knows
   */
  constructor(
    readonly manifest: Manifest,
    readonly source: string,
    readonly directory: string | undefined,
  ) {
    const classes = new Map<string, ClassEntry & { entries: ManifestEntry[] }>();
    for (const entry of manifest.entries) {
      const known = classes.get(entry.class);
      const definition = manifest.classes[entry.class];
      if (known) known.entries.push(entry);
      else if (definition)
        classes.set(entry.class, { manifest: this, key: entry.class, definition, entries: [entry] });
    }
    this.classes = classes;
  }

  schema(id: string): JsonSchema | undefined {
    return this.manifest.schemas[id];
  }
}
