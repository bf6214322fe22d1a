import { collectRecords, findRecord } from '@toolwright/ground/base/metadata/class-records';
import {
  decoratedClasses,
  decoratedCount,
  ownRecords,
  type AnyClass,
} from '@toolwright/ground/base/metadata/store';
import { getOrMake } from '@toolwright/json';
import type { Manifests } from '../manifest/load-manifests.js';
import type { LoadedManifest } from '../manifest/loaded-manifest.js';
import { findClass, findLoadedClass } from './find-class.js';
import { hasFields, isNameless, isSameSource, outlineOfClass, possibleNames } from './running-class.js';

/** A class of a manifest. */
export interface ClassKey {
  readonly manifest: LoadedManifest;
  readonly key: string;
}

/** The classes of the application. The list is made anew when a class or a manifest is added. */
interface Snapshot {
  readonly stamp: string;
  /** The newest version of a class comes first. */
  readonly classes: readonly AnyClass[];
  readonly keys: Map<AnyClass, ClassKey | undefined>;
  /** Filled when a class is first looked for by its key. */
  running: RunningClasses | undefined;
}

/**
 * Joins running classes with the classes of manifests, in both directions. In a bundle there are no modules to
 * look into. It then compares the classes that the application has anyway: those of its providers, and
 * decorated ones.
 */
export class ClassFinder {
  private readonly certain = new WeakMap<AnyClass, ClassKey>();
  /** The classes that were noted for their entries. */
  readonly noted = new RunningClasses();
  private last: Snapshot | undefined;

  /** @param provided the classes that the container knows, as tokens or because it builds them */
  constructor(
    private readonly manifests: Manifests,
    private readonly provided: () => ReadonlySet<AnyClass>,
  ) {}

  /** Notes which entry a class belongs to. Its base classes then belong to the base classes of the entry. */
  note(target: AnyClass, found: ClassKey): void {
    for (const [base, key] of lineageOf(target, found)) {
      const each = { manifest: found.manifest, key };
      this.certain.set(base, each);
      this.noted.set(each, base);
    }
  }

  /** The entry of a running class. The manifest of the package that decorates the class is loaded first. */
  async keyOf(target: AnyClass): Promise<ClassKey | undefined> {
    if (ownRecords(target).length > 0) await this.manifests.of(target);
    return this.identify(target);
  }

  /** The running class of an entry. It imports nothing. */
  loaded(manifest: LoadedManifest, key: string): AnyClass | undefined {
    const sought = { manifest, key };
    return this.noted.get(sought) ?? findLoadedClass(manifest, key) ?? this.running().get(sought);
  }

  /** The same. If the class is not running yet, its module is imported. */
  async find(manifest: LoadedManifest, key: string): Promise<AnyClass | undefined> {
    return this.loaded(manifest, key) ?? (await findClass(manifest, key));
  }

  /** A class of another package whose manifest is known, by the name of its export. */
  exportedBy(specifier: string, name: string): AnyClass | undefined {
    for (const manifest of this.manifests.known) {
      const { package: owner, classes } = manifest.manifest;
      if (specifier !== owner && !specifier.startsWith(`${owner}/`)) continue;
      const keys = Object.keys(classes).filter((key) => classes[key]!.module?.export === name);
      const found = keys.length === 1 ? this.loaded(manifest, keys[0]!) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  private snapshot(): Snapshot {
    const provided = this.provided();
    const stamp = `${decoratedCount()} ${provided.size} ${this.manifests.known.length}`;
    if (this.last?.stamp !== stamp) {
      const classes = [...new Set([...provided, ...decoratedClasses()])];
      this.last = { stamp, classes, keys: new Map(), running: undefined };
    }
    return this.last;
  }

  /** The classes of the application by their entries, with base classes. Of two versions, the newer one counts. */
  private running(): RunningClasses {
    const snapshot = this.snapshot();
    if (snapshot.running) return snapshot.running;
    const running = (snapshot.running = new RunningClasses());
    for (const target of snapshot.classes) {
      const found = this.identify(target);
      if (!found) continue;
      for (const [base, key] of lineageOf(target, found)) {
        const each = { manifest: found.manifest, key };
        if (!running.get(each)) running.set(each, base);
      }
    }
    return running;
  }

  private identify(target: AnyClass): ClassKey | undefined {
    const certain = this.certain.get(target);
    if (certain) return certain;
    const { keys } = this.snapshot();
    if (!keys.has(target))
      keys.set(target, this.byId(target) ?? this.byName(target) ?? this.byOutline(target));
    return keys.get(target);
  }

  private byId(target: AnyClass): ClassKey | undefined {
    const { records } = collectRecords(target);
    const record =
      findRecord<{ id?: string }>(records, 'service') ?? findRecord<{ id?: string }>(records, 'injectable');
    const id = record?.options.id;
    return id === undefined ? undefined : only(this.keysIn('byId', id));
  }

  /** Several classes may have one name. Then the modules, the members and the file of the decorator decide. */
  private byName(target: AnyClass): ClassKey | undefined {
    const named = possibleNames(target)
      .map((name) => this.keysIn('byName', name))
      .find((keys) => keys.length > 0);
    if (!named) return undefined;
    const outline = outlineOfClass(target);
    // A minifier may give a class the short name that another one has in the source.
    if (isNameless(target))
      return only(named.filter(({ manifest, key }) => manifest.manifest.classes[key]!.outline === outline));
    if (named.length === 1) return named[0];
    const sites = ownRecords(target).map(({ site }) => site);
    return (
      only(named.filter(({ manifest, key }) => findLoadedClass(manifest, key) === target)) ??
      only(named.filter(({ manifest, key }) => manifest.manifest.classes[key]!.outline === outline)) ??
      only(named.filter(({ manifest, key }) => isSameSource(sites, manifest, key)))
    );
  }

  /** Only if no other class of the application and no other entry looks the same. */
  private byOutline(target: AnyClass): ClassKey | undefined {
    if (!isNameless(target)) return undefined;
    const outline = outlineOfClass(target);
    const keys = this.keysIn('byOutline', outline).filter((key) => hasFields(target, fieldsOf(key)));
    // Only its fields tell a class without methods apart from others. One that sets none could be any of them.
    const distinct = keys.filter((key) => fieldsOf(key).length > 0);
    const found = only(distinct.length > 0 ? distinct : keys);
    const isAlike = (other: AnyClass) =>
      isNameless(other) && outlineOfClass(other) === outline && hasFields(other, fieldsOf(found!));
    if (!found || this.snapshot().classes.some((other) => other !== target && isAlike(other)))
      return undefined;
    return found;
  }

  private keysIn(by: 'byId' | 'byName' | 'byOutline', value: string): ClassKey[] {
    return this.manifests.known.flatMap((manifest) =>
      (manifest.index()[by].get(value) ?? []).map((key) => ({ manifest, key })),
    );
  }
}

function fieldsOf({ manifest, key }: ClassKey): readonly string[] {
  return manifest.manifest.classes[key]!.fields ?? [];
}

/** The class and its base classes, each with its key, as far as the manifest knows them. */
function* lineageOf(target: AnyClass, { manifest, key }: ClassKey): Generator<[AnyClass, string]> {
  let at: AnyClass = target;
  for (let each: string | undefined = key; each !== undefined; each = manifest.manifest.classes[each]?.base) {
    if (at === Function.prototype) return;
    yield [at, each];
    at = Object.getPrototypeOf(at) as AnyClass;
  }
}

/** Running classes by their entries. Keys are unique in one manifest only. */
class RunningClasses {
  private readonly byManifest = new Map<LoadedManifest, Map<string, AnyClass>>();

  get({ manifest, key }: ClassKey): AnyClass | undefined {
    return this.byManifest.get(manifest)?.get(key);
  }

  set({ manifest, key }: ClassKey, target: AnyClass): void {
    getOrMake(this.byManifest, manifest, () => new Map<string, AnyClass>()).set(key, target);
  }
}

function only<T>(found: readonly T[]): T | undefined {
  return found.length === 1 ? found[0] : undefined;
}
