import type { Manifest, ManifestClass } from '@toolwright/manifest';

type Keys = ReadonlyMap<string, readonly string[]>;

/** The keys of a manifest's classes, by what a running class shows. */
export class ClassIndex {
  /** By the name without namespaces. */
  readonly byName: Keys;
  readonly byId: Keys;
  readonly byOutline: Keys;

  constructor({ classes }: Manifest) {
    this.byName = group(classes, ({ name }) => name.slice(name.lastIndexOf('.') + 1));
    this.byId = group(classes, ({ id }) => id);
    this.byOutline = group(classes, ({ outline }) => outline);
  }
}

function group(classes: Manifest['classes'], of: (each: ManifestClass) => string | undefined): Keys {
  const groups = new Map<string, string[]>();
  for (const [key, definition] of Object.entries(classes)) {
    const name = of(definition);
    if (name === undefined) continue;
    const known = groups.get(name);
    if (known) known.push(key);
    else groups.set(name, [key]);
  }
  return groups;
}
