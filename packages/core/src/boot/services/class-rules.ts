import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import type { AnyClass } from '../../base/metadata/store.js';
import { findClass, isBundled } from '../classes/find-class.js';
import { classWithRules } from '../classes/running-class.js';
import type { LoadedManifest } from '../manifest/loaded-manifest.js';
import {
  type Constructor,
  findFlaggedProblems,
  findPatternProblems,
  type FlaggedPattern,
  PATTERN_FIX,
  patternsOfClass,
  type JsonSchema,
  mapSchema,
  markSensitive,
  mergeClass,
} from '@toolwright/json';
import { type ManifestClass, CLASS_MARK, type Manifest } from '@toolwright/manifest';
import { resolve } from 'node:path';

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
    if (Dto) mergeClass(node, Dto, (part) => this.resolve(part));
    return node;
  }

  private resolve(schema: JsonSchema): JsonSchema {
    const { $ref, ...siblings } = schema;
    const target = $ref === undefined ? undefined : this.definitions[$ref.slice('#/$defs/'.length)];
    return target ? { ...target, ...siblings } : schema;
  }
}
