import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import { type AnyClass, ownRecords } from '@toolwright/ground/base/metadata/store';
import { getOrMake, type MaybePromise } from '@toolwright/json';
import {
  checkManifest,
  checksumOf,
  type Manifest,
  MANIFEST_FILE,
  MANIFEST_PROVIDER,
  ManifestError,
  parseManifest,
} from '@toolwright/manifest';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { BUILD, LoadedManifest, checkSources, packageDirectory } from './loaded-manifest.js';

/** Finds the manifests of services. Each manifest is loaded once, however many services its package has. */
export class Manifests {
  private readonly pinned: readonly string[] | undefined;
  /** The manifests that the options name. They are searched for every service. */
  readonly named: LoadedManifest[] = [];
  private readonly providers: ManifestProvider[] = [];
  private readonly placed = new Map<string, LoadedManifest>();
  /** Every manifest that was loaded so far. The newest of a package comes first. */
  known: readonly LoadedManifest[] = [];
  private readonly problems: ConfigurationProblem[] = [];
  private readonly byPackage = new Map<string, Promise<LoadedManifest | undefined>>();
  private readonly packages = new Map<string, string | undefined>();

  /** @param option the checksums of the files that may be read; default: any checksum that fits its file */
  constructor(private readonly option: ManifestOption = []) {
    const hash = isPinned(option) ? option.hash : undefined;
    this.pinned = hash === undefined ? undefined : [hash].flat();
  }

  /** Adds the manifests that the option names. Paths are relative to the working directory. */
  async addNamed(): Promise<void> {
    for (const source of manifestSources(this.option)) {
      if (typeof source === 'function') this.providers.push(source);
      else if (typeof source === 'string') this.keep(this.read(resolve(source)));
      else this.keep(this.check(source));
    }
    const ambient = ambientProvider();
    if (ambient) this.providers.push(ambient);
  }

  /** All problems since the last call of this method. */
  takeProblems(): ConfigurationProblem[] {
    return this.problems.splice(0);
  }

  /**
   * From now on, manifests beside services are read again: a service that comes back may be a newer version.
   */
  forgetFound(): void {
    this.byPackage.clear();
    this.packages.clear();
  }

  /** What the build step of a package has left in the manifests that are loaded by now. */
  fields(name: string): { readonly package: string; readonly value: unknown }[] {
    return [...new Set([...this.named, ...this.known].map(({ manifest }) => manifest))].flatMap((manifest) =>
      manifest.extensions && Object.hasOwn(manifest.extensions, name)
        ? [{ package: manifest.package, value: manifest.extensions[name] }]
        : [],
    );
  }

  /** The manifests in which to look for a class, the most likely one first. */
  async of(target: AnyClass): Promise<readonly LoadedManifest[]> {
    const directory = this.packageOf(target);
    if (!directory) return this.named;
    const named = this.named.map((manifest) => this.place(manifest, directory));
    // A manifest that the options name is complete, unless a provider compiles a newer one.
    if (named.length > 0 && this.providers.length === 0) return named;
    const found = await getOrMake(this.byPackage, directory, () => this.load(directory));
    if (found) this.know(found);
    return found ? [found, ...named] : named;
  }

  /** Where `of` has looked for the manifest of a class, as a sentence; undefined if it is there, and a problem says what is wrong with it. */
  whereLooked(target: AnyClass): string | undefined {
    const directory = this.packageOf(target);
    if (directory !== undefined && existsSync(join(directory, MANIFEST_FILE))) return undefined;
    if (directory !== undefined) return `There is no file ${join(directory, MANIFEST_FILE)}.`;
    const file = ownRecords(target).find(({ site }) => site.file !== undefined)?.site.file;
    return file === undefined
      ? 'The running program does not show which file the class is in, so no folder was searched.'
      : `There is no ${MANIFEST_FILE} in ${dirname(file)} or in a folder above it.`;
  }

  /** A manifest that was read again, or now knows its directory, replaces the one before. */
  private know(manifest: LoadedManifest): void {
    if (this.known.includes(manifest)) return;
    const { source, directory } = manifest;
    const isSame = (other: LoadedManifest) =>
      other.manifest === manifest.manifest ||
      (directory !== undefined && other.source === source && other.directory === directory);
    this.known = [manifest, ...this.known.filter((other) => !isSame(other))];
  }

  private packageOf(target: AnyClass): string | undefined {
    for (const { site } of ownRecords(target)) {
      // Reading a site renders a stack trace, so the first site that has a file is enough.
      const { file } = site;
      if (file === undefined) continue;
      const folder = dirname(file);
      if (!this.packages.has(folder)) this.packages.set(folder, packageDirectory(file));
      return this.packages.get(folder);
    }
    return undefined;
  }

  /**
   * A manifest that was passed as an object does not know its directory. It is the package of the class that
   * it is asked for.
   */
  private place(manifest: LoadedManifest, directory: string): LoadedManifest {
    if (manifest.directory !== undefined) return manifest;
    return getOrMake(this.placed, `${this.named.indexOf(manifest)} ${directory}`, () => {
      const placed = new LoadedManifest(manifest.manifest, manifest.source, directory);
      this.know(placed);
      return placed;
    });
  }

  private async load(directory: string): Promise<LoadedManifest | undefined> {
    for (const provide of this.providers) {
      const manifest = await provide(directory);
      if (manifest) return new LoadedManifest(manifest, `the manifest compiled for ${directory}`, directory);
    }
    const path = join(directory, MANIFEST_FILE);
    return existsSync(path) ? this.read(path) : undefined;
  }

  private keep(manifest: LoadedManifest | undefined): void {
    if (!manifest) return;
    this.named.push(manifest);
    this.know(manifest);
  }

  private check(given: Manifest | ImportedManifest): LoadedManifest | undefined {
    const source =
      'package' in given && given.package ? `the given manifest of ${given.package}` : 'the given manifest';
    try {
      return this.take(checkManifest(given, source), source);
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error;
      this.problems.push({ code: 'TW_MANIFEST_INVALID', message: error.message, fix: BUILD });
      return undefined;
    }
  }

  private read(path: string): LoadedManifest | undefined {
    try {
      const loaded = this.take(parseManifest(readFileSync(path, 'utf8'), path), path, dirname(path));
      const stale = loaded && checkSources(loaded);
      if (stale) this.problems.push(stale);
      return loaded;
    } catch (error) {
      const message =
        error instanceof ManifestError ? error.message : `${path} cannot be read: ${String(error)}`;
      this.problems.push({ code: 'TW_MANIFEST_INVALID', message, fix: BUILD });
      return undefined;
    }
  }

  /**
   * Takes a manifest that was given, or read from a file, unless its checksum is not pinned. Its own checksum, which fits
   * its content, only detects damage: somebody who can write the file can also write a new checksum.
   */
  private take(manifest: Manifest, source: string, directory?: string): LoadedManifest | undefined {
    const checksum = this.pinned && (manifest.checksum ?? checksumOf(manifest));
    if (checksum === undefined || this.pinned!.includes(checksum))
      return new LoadedManifest(manifest, source, directory);
    this.problems.push({
      code: 'TW_MANIFEST_PINNED',
      message: `${source} has the checksum ${checksum}, which manifest.hash does not name.`,
      fix: 'Restore the manifest that was built. If you built another one on purpose, add its checksum to manifest.hash.',
    });
    return undefined;
  }
}

/**
 * Returns the manifest of the package in a directory, or `undefined` when the package's own file should be
 * used. This is how core gets manifests that are compiled on the fly. Core asks for them and never loads a
 * compiler itself.
 */
export type ManifestProvider = (packageDirectory: string) => MaybePromise<Manifest | undefined>;

/**
 * The path of a manifest file, a manifest that was already read or compiled, or a function that returns
 * manifests.
 */
export type ManifestSource = string | Manifest | ImportedManifest | ManifestProvider;

/** Manifests, and the checksums that they must have. */
export interface PinnedManifests {
  /** Default: the `mcp.manifest.json` of each service's package. */
  readonly file?: ManifestSource | readonly ManifestSource[];
  /**
   * The `checksum` of each manifest that may be used. The server does not start with a file that was changed
   * afterwards. Manifests that this process compiles itself (`toolwright dev`, tests) need no checksum.
   * `undefined`: any checksum that fits its file.
   */
  readonly hash: string | readonly string[] | undefined;
}

/** The option `manifest` of a server. */
export type ManifestOption = ManifestSource | readonly ManifestSource[] | PinnedManifests;

/** The manifests that the option names. */
export function manifestSources(option: ManifestOption = []): readonly ManifestSource[] {
  return [isPinned(option) ? (option.file ?? []) : option].flat();
}

export function isPinned(option: object | ManifestOption): option is PinnedManifests {
  return typeof option === 'object' && option !== null && 'hash' in option;
}

/** What TypeScript knows of `import manifest from './mcp.manifest.json'`. The server checks the rest. */
export interface ImportedManifest {
  readonly format: number;
  readonly compiler: string;
  readonly schemas: object;
  readonly classes: object;
  readonly entries: readonly object[];
}

/** The provider that such a module left, if any. */
function ambientProvider(): ManifestProvider | undefined {
  return (globalThis as { [MANIFEST_PROVIDER]?: ManifestProvider })[MANIFEST_PROVIDER];
}
