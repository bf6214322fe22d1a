import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  checkManifest,
  MANIFEST_FILE,
  ManifestError,
  parseManifest,
  type Manifest,
} from '@toolwright/manifest';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { ownRecords, type AnyClass } from '../../base/metadata/store.js';
import { BUILD } from './build-hint.js';
import { checkPinned } from './check-pinned.js';
import { checkSources } from './check-sources.js';
import { LoadedManifest } from './loaded-manifest.js';
import { ambientProvider, type ManifestProvider, type ManifestSource } from './manifest-source.js';
import { packageDirectory } from './package-directory.js';

/** Finds the manifests of services, each once, however many services a package has. */
export class Manifests {
  private readonly pinned: readonly string[] | undefined;
  /** Those that the options name; they are looked at for every service. */
  private readonly named: LoadedManifest[] = [];
  private readonly providers: ManifestProvider[] = [];
  private readonly placed = new Map<string, LoadedManifest>();
  private readonly problems: ConfigurationProblem[] = [];
  private readonly byPackage = new Map<string, Promise<LoadedManifest | undefined>>();
  private readonly packages = new Map<string, string | undefined>();

  /** @param pinned the checksums of the files that may be read; default: any that fits its file */
  constructor(pinned?: string | readonly string[]) {
    this.pinned = pinned === undefined ? undefined : [pinned].flat();
  }

  /** Takes what the options name. Paths are relative to the working directory. */
  async add(sources: readonly ManifestSource[]): Promise<void> {
    for (const source of sources) {
      if (typeof source === 'function') this.providers.push(source);
      else if (typeof source === 'string') this.keep(this.read(resolve(source)));
      else this.keep(this.check(source));
    }
    const ambient = ambientProvider();
    if (ambient) this.providers.push(ambient);
  }

  /** Everything found wrong since this was last asked. */
  takeProblems(): ConfigurationProblem[] {
    return this.problems.splice(0);
  }

  /** Manifests found beside services are read anew from now on: a service that comes back may be a newer version. */
  forgetFound(): void {
    this.byPackage.clear();
    this.packages.clear();
  }

  get given(): readonly LoadedManifest[] {
    return this.named;
  }

  /** The manifests to look for a class in, the likeliest first. */
  async of(target: AnyClass): Promise<readonly LoadedManifest[]> {
    const directory = this.packageOf(target);
    if (!directory) return this.named;
    const named = this.named.map((manifest) => this.place(manifest, directory));
    // A manifest named by the options says all there is to say, unless a provider compiles a fresher one.
    if (named.length > 0 && this.providers.length === 0) return named;
    let own = this.byPackage.get(directory);
    if (!own) this.byPackage.set(directory, (own = this.load(directory)));
    const found = await own;
    return found ? [found, ...named] : named;
  }

  private packageOf(target: AnyClass): string | undefined {
    for (const { site } of ownRecords(target)) {
      // Reading a site renders a stack trace: the first that has a place will do.
      const { file } = site;
      if (file === undefined) continue;
      const folder = dirname(file);
      if (!this.packages.has(folder)) this.packages.set(folder, packageDirectory(file));
      return this.packages.get(folder);
    }
    return undefined;
  }

  /** A manifest given as an object does not know where it belongs; the package of the class it is asked for does. */
  private place(manifest: LoadedManifest, directory: string): LoadedManifest {
    if (manifest.directory !== undefined) return manifest;
    const key = `${this.named.indexOf(manifest)} ${directory}`;
    let placed = this.placed.get(key);
    if (!placed)
      this.placed.set(key, (placed = new LoadedManifest(manifest.manifest, manifest.source, directory)));
    return placed;
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
    if (manifest) this.named.push(manifest);
  }

  private check(given: Manifest): LoadedManifest | undefined {
    const source = given.package ? `the given manifest of ${given.package}` : 'the given manifest';
    try {
      return this.take(checkManifest(given, source), { source });
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error;
      this.problems.push({ code: 'TW_MANIFEST_INVALID', message: error.message, fix: BUILD });
      return undefined;
    }
  }

  private read(path: string): LoadedManifest | undefined {
    try {
      const manifest = parseManifest(readFileSync(path, 'utf8'), path);
      const loaded = this.take(manifest, { source: path, directory: dirname(path) });
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

  /** A manifest that came from a file, by the path that the options name or by way of the application. */
  private take(
    manifest: Manifest,
    { source, directory }: { source: string; directory?: string },
  ): LoadedManifest | undefined {
    const problem = checkPinned(manifest, source, this.pinned);
    if (problem) this.problems.push(problem);
    return problem ? undefined : new LoadedManifest(manifest, source, directory);
  }
}
