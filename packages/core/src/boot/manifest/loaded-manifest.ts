import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import { type JsonSchema, getOrMake, lazily, schemaOf, withDefinitions } from '@toolwright/json';
import {
  MANIFEST_FILE,
  type Manifest,
  type ManifestClass,
  type ManifestEntry,
  hashSources,
} from '@toolwright/manifest';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A class of a manifest, with its decorated methods. */
export interface ClassEntry {
  readonly manifest: LoadedManifest;
  readonly key: string;
  readonly definition: ManifestClass;
  readonly entries: readonly ManifestEntry[];
  /** The manifest entry of a method. */
  entry(method: MethodName): ManifestEntry | undefined;
}

/**
 * What an application executes: the compiled files, the sources themselves (through a loader or a test runner), or
 * a bundle. A class that is not loaded yet has to come from the same place, because one from another place is
 * another class.
 */
export type Running = 'build' | 'sources' | 'bundle';

/** A method by its name. A static method may have the same name as another one. */
interface MethodName {
  readonly method: string;
  readonly static?: boolean;
}

/** A manifest that services can be bound to. It knows where it came from, and its entries by class. */
export class LoadedManifest {
  /** Classes with decorated methods. */
  readonly classes: ReadonlyMap<string, ClassEntry>;
  /** Where its classes run, as far as a bound service has shown it. */
  runs: Running | undefined;
  /** The keys of its classes, by what a running class shows. An application with emitted types needs none of them. */
  readonly index = lazily(() => {
    const { classes } = this.manifest;
    return {
      /** By the name without namespaces. */
      byName: group(classes, ({ name }) => name.slice(name.lastIndexOf('.') + 1)),
      byId: group(classes, ({ id }) => id),
      byOutline: group(classes, ({ outline }) => outline),
    };
  });
  #merged: Manifest;
  #isMerged = false;

  /**
   * @param source the path, or another name of the manifest for messages
   * @param directory the directory that the paths in it are relative to; undefined when it is not known
   */
  constructor(
    readonly manifest: Manifest,
    readonly source: string,
    readonly directory: string | undefined,
  ) {
    this.#merged = manifest;
    const byClass = new Map<string, ManifestEntry[]>();
    const none = (): ManifestEntry[] => [];
    for (const entry of manifest.entries)
      if (manifest.classes[entry.class]) getOrMake(byClass, entry.class, none).push(entry);
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

  /** A schema of a revival, with all definitions that it reaches. */
  whole(schema: JsonSchema): JsonSchema {
    return withDefinitions(schema, this.#merged);
  }

  /** True when class-validator knows rules of its classes that the compiler could not read. */
  get hasRunTimeRules(): boolean {
    return Object.values(this.manifest.classes).some(({ mergeRuntime }) => mergeRuntime);
  }

  /** Adds to the schemas what is only known at run time. It happens when the first service is bound. */
  async mergeOnce(merge: (loaded: LoadedManifest) => Promise<Manifest>): Promise<void> {
    if (this.#isMerged) return;
    this.#isMerged = true;
    this.#merged = await merge(this);
  }
}

function nameOf({ method, static: isStatic }: MethodName): string {
  return isStatic ? `::${method}` : method;
}

function group(classes: Manifest['classes'], of: (each: ManifestClass) => string | undefined) {
  const groups = new Map<string, string[]>();
  for (const [key, definition] of Object.entries(classes)) {
    const name = of(definition);
    if (name !== undefined) getOrMake(groups, name, () => []).push(key);
  }
  return groups;
}

/** The fix for every missing or stale manifest. */
export const BUILD =
  'Run `npx --no toolwright build` in the package of the class. In development, `toolwright dev` or ' +
  '`node --import @toolwright/cli/register` compile on the fly.';

/**
 * The directory of the package that a file belongs to: the nearest one above it that has a manifest, or a
 * `package.json` with a name (those without one only set the module format).
 */
export function packageDirectory(file: string): string | undefined {
  for (let directory = dirname(file); ; directory = dirname(directory)) {
    if (existsSync(join(directory, MANIFEST_FILE)) || isNamedPackage(join(directory, 'package.json')))
      return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

function isNamedPackage(path: string): boolean {
  try {
    return typeof (JSON.parse(readFileSync(path, 'utf8')) as { name?: unknown }).name === 'string';
  } catch {
    return false;
  }
}

/** A copy may keep the time of its content. Then the time of the file itself is newer. Undefined without a file. */
function lastChange(file: string): number | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat && Math.max(stat.mtimeMs, stat.ctimeMs);
}

/**
 * Reports a manifest file if its sources exist and have changed since the compilation. It is not called in
 * production, where sources may be in any state.
 */
export function checkSources({
  manifest,
  source,
  directory,
}: LoadedManifest): ConfigurationProblem | undefined {
  const { sources = [], sourceHash } = manifest;
  if (process.env['NODE_ENV'] === 'production' || directory === undefined || sources.length === 0)
    return undefined;
  const dates = sources.map((file) => lastChange(join(directory, file)));
  if (dates.every((date) => date === undefined)) return undefined;
  // Comparing dates takes a hundredth of the time of reading the files. The files are only read if one is
  // newer or missing.
  const written = statSync(source).mtimeMs;
  const suspects = sources.filter((_, index) => !(dates[index]! <= written));
  if (suspects.length === 0 || hashSources(directory, sources) === sourceHash) return undefined;
  return {
    code: 'TW_MANIFEST_STALE',
    message: `${source} is older than its sources: ${suspects.join(', ')} changed.`,
    fix: BUILD,
  };
}
