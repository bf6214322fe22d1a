import {
  type ConfigurationProblem,
  ConfigurationError,
} from '@toolwright/ground/base/errors/configuration-error';
import { lineage } from '@toolwright/ground/base/metadata/class-records';
import type { AnyClass } from '@toolwright/ground/base/metadata/store';
import {
  type Constructor,
  findFlaggedProblems,
  findPatternProblems,
  type FlaggedPattern,
  followReferences,
  PATTERN_FIX,
  patternsOfClass,
  type JsonSchema,
  mapSchema,
  markSensitive,
  mergeClass,
  transformerRecords,
} from '@toolwright/json';
import { type ManifestClass, CLASS_MARK, type Manifest } from '@toolwright/manifest';
import { resolve, dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { findClass, isBundled } from '../classes/find-class.js';
import { loadedModule, loadedPaths } from '../classes/import-module.js';
import { classWithRules } from '../classes/running-class.js';
import type { LoadedManifest } from '../manifest/loaded-manifest.js';

/**
 * Finds regular expressions of DTO classes that could take too long on a caller's text. The manifest lists the
 * expressions that are in no schema. If the compiler could not read the decorators, class-validator's records are
 * used.
 */
export async function findClassPatternProblems(
  manifest: LoadedManifest,
  keys: Iterable<string>,
): Promise<ConfigurationProblem[]> {
  const problems: ConfigurationProblem[] = [];
  for (const key of keys) {
    const definition = manifest.manifest.classes[key];
    if (!definition) continue;
    const known = (definition.patterns ?? []).flatMap(({ location, ...pattern }) =>
      problemsOf([pattern], definition.name, placeOf(location, manifest)),
    );
    // Patterns from the manifest are reported at their own place.
    const Dto = known.length === 0 && definition.mergeRuntime ? await loadable(manifest, key) : undefined;
    const met = Dto ? patternsOfClass(Dto as unknown as Constructor) : [];
    problems.push(...known, ...problemsOf(met, definition.name, placeOf(definition.location, manifest)));
  }
  return problems;
}

function problemsOf(patterns: readonly FlaggedPattern[], name: string, location: string) {
  return findFlaggedProblems(patterns).map((problem) => ({
    code: 'TW_PATTERN_UNSAFE' as const,
    message: `In the arguments of the class ${name}, ${problem}.`,
    fix: PATTERN_FIX,
    location,
  }));
}

/** Undefined for a class that cannot be loaded. The first call that needs it says why. */
function loadable(manifest: LoadedManifest, key: string): Promise<AnyClass | undefined> {
  return findClass(manifest, key).catch(() => undefined);
}

function placeOf({ file, line, column }: ManifestClass['location'], { directory }: LoadedManifest): string {
  return `${directory === undefined ? file : resolve(directory, file)}:${line}:${column}`;
}

/**
 * Finds patterns of typed questions that could take too long on an answer, because somebody else writes the
 * answer.
 */
export function findQuestionPatternProblems(loaded: LoadedManifest): ConfigurationProblem[] {
  return Object.entries(loaded.manifest.questions ?? {}).flatMap(([key, { schema: id, location }]) => {
    const schema = loaded.schema(id);
    return (schema ? findPatternProblems(schema) : []).map((problem) => ({
      code: 'TW_PATTERN_UNSAFE' as const,
      message: `In the answer to the question "${key}", ${problem}.`,
      fix: PATTERN_FIX,
      location: placeOf(location, loaded),
    }));
  });
}

/**
 * Adds rules to the schemas of a manifest that only class-validator's records contain: composed decorators,
 * computed arguments, mapped types. Each class is merged at the place of its schema. For a definition, that
 * is once.
 *
 * @param emitted classes that are already known, by their keys
 * @returns the same manifest if nothing is added
 */
export async function mergeClassRules(
  loaded: LoadedManifest,
  emitted: ReadonlyMap<string, AnyClass>,
): Promise<Manifest> {
  const { manifest } = loaded;
  const keys = Object.keys(manifest.classes).filter((key) => manifest.classes[key]!.mergeRuntime);
  if (keys.length === 0) return manifest;
  const classes = new Map<string, Constructor>();
  for (const key of keys) {
    const here = isBundled(loaded, key) ? classWithRules(manifest.classes[key]!) : undefined;
    const found = emitted.get(key) ?? here ?? (await loadable(loaded, key));
    if (found) classes.set(key, found as unknown as Constructor);
  }
  const merger = new Merger(classes, manifest.$defs ?? {});
  const inputs = new Set(manifest.entries.map(({ input }) => input));
  const $defs = merger.mergeAll(manifest.$defs ?? {});
  const schemas = merger.mergeAll(manifest.schemas);
  for (const [id, schema] of Object.entries(schemas))
    schemas[id] = markSensitive(schema, inputs.has(id) ? 'input' : 'output', () => $defs);
  return manifest.$defs ? { ...manifest, schemas, $defs } : { ...manifest, schemas };
}

class Merger {
  constructor(
    private readonly classes: ReadonlyMap<string, Constructor>,
    private readonly definitions: Readonly<Record<string, JsonSchema>>,
  ) {}

  /** A schema without a mark stays the same object. */
  mergeAll(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
    const isMarked = (schema: JsonSchema) => JSON.stringify(schema).includes(`"${CLASS_MARK}":`);
    return Object.fromEntries(
      Object.entries(schemas).map(([id, schema]) => [id, isMarked(schema) ? this.merge(schema) : schema]),
    );
  }

  private merge(schema: JsonSchema): JsonSchema {
    const { [CLASS_MARK]: key, ...node } = mapSchema(schema, (inner) => this.merge(inner));
    const Dto = this.classes.get(key as string);
    if (Dto) mergeClass(node, Dto, (part) => followReferences(part, this.definitions));
    return node;
  }
}

/** A copy of class-transformer that this process has loaded. Each keeps the records of its decorators for itself. */
interface Copy {
  /** The folder of the package. */
  readonly folder: string;
  readonly records: object;
}

/** The module with the records of a copy. */
export const TRANSFORMER_RECORDS = /[\\/]class-transformer[\\/]cjs[\\/]storage\.js$/;

/** All copies but the one that the server uses, if one of their decorators has run. Usually there is none. */
function otherCopies(): Copy[] {
  const loaded = loadedCopies();
  const own = loaded.length === 0 ? undefined : transformerRecords();
  return loaded.filter(({ records }) => records !== own && tablesOf(records).some(({ size }) => size > 0));
}

function loadedCopies(): Copy[] {
  const paths = loadedPaths().filter((path) => TRANSFORMER_RECORDS.test(path));
  return paths.flatMap((path) => {
    const records = loadedModule(path)?.['defaultMetadataStorage'] as object | undefined;
    return records ? [{ folder: dirname(dirname(path)), records }] : [];
  });
}

/** class-transformer keeps a table by class for each kind of its decorators. */
function tablesOf(records: object): ReadonlyMap<unknown, unknown>[] {
  return Object.values(records).filter((each): each is Map<unknown, unknown> => each instanceof Map);
}

/** A service whose classes may have decorators of another copy. */
export interface CopyUser {
  /** The folder of its package. */
  readonly directory: string | undefined;
  /** The classes of its values, which may be loaded only now. */
  readonly classes: () => readonly AnyClass[];
}

/**
 * Looks for decorators of class-transformer that the server cannot see, because the package of a service has a copy of
 * its own. What they rename, convert and hide would be as if they were not written.
 */
export function findTransformerCopies(users: readonly CopyUser[]): ConfigurationProblem[] {
  const copies = otherCopies();
  if (copies.length === 0) return [];
  return users.flatMap(({ directory, classes }) => {
    const used = directory === undefined ? undefined : copyOf(directory);
    const known = classes();
    return copies.flatMap((copy) => {
      const target = known.find((each) => knows(copy, each));
      if (target) return [seenBy(copy, `the class ${target.name}`)];
      return copy.folder === used ? [seenBy(copy, `classes of ${directory!}`)] : [];
    });
  });
}

/** @throws {ConfigurationError} for a class that a call has loaded, if its decorators are those of another copy */
export function refuseOtherCopies(target: AnyClass): void {
  const copy = otherCopies().find((each) => knows(each, target));
  if (copy) throw new ConfigurationError([seenBy(copy, `the class ${target.name}`)]);
}

function seenBy({ folder }: Copy, users: string): ConfigurationProblem {
  return {
    code: 'TW_PACKAGE_TWICE',
    message: `Decorators of class-transformer on ${users} are those of ${folder}, and the server uses ${ownFolder()}. The server cannot see what they hide, rename and convert.`,
    fix: 'Install class-transformer once, with the same version in each package.json: see `npm ls class-transformer`, `npm dedupe`.',
  };
}

function knows({ records }: Copy, target: AnyClass): boolean {
  const tables = tablesOf(records);
  return lineage(target).some((each) => tables.some((table) => table.has(each)));
}

function copyOf(directory: string): string | undefined {
  try {
    return dirname(dirname(createRequire(join(directory, 'package.json')).resolve('class-transformer')));
  } catch {
    return undefined;
  }
}

function ownFolder(): string {
  const own = transformerRecords();
  return loadedCopies().find(({ records }) => records === own)?.folder ?? 'another copy';
}
