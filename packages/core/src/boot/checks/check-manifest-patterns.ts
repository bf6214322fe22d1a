import type { ManifestClass } from '@toolwright/manifest';
import { resolve } from 'node:path';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import {
  type Constructor,
  findFlaggedProblems,
  findPatternProblems,
  type FlaggedPattern,
  PATTERN_FIX,
  patternsOfClass,
} from '@toolwright/json';
import { findClass } from '../classes/find-class.js';
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
    const met = known.length === 0 && definition.mergeRuntime ? await metAtRunTime(manifest, key) : [];
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

async function metAtRunTime(manifest: LoadedManifest, key: string): Promise<FlaggedPattern[]> {
  try {
    const found = await findClass(manifest, key);
    return found ? patternsOfClass(found as unknown as Constructor) : [];
  } catch {
    // The first call that needs the class says why it cannot be loaded.
    return [];
  }
}

function placeOf({ file, line, column }: ManifestClass['location'], { directory }: LoadedManifest): string {
  return `${directory === undefined ? file : resolve(directory, file)}:${line}:${column}`;
}

/**
 * Finds patterns of typed questions that could take too long on an answer, because somebody else writes the
 * answer.
 */
export function findQuestionPatternProblems(loaded: LoadedManifest): ConfigurationProblem[] {
  const { manifest, directory } = loaded;
  return Object.entries(manifest.questions ?? {}).flatMap(([key, { schema: id, location }]) => {
    const schema = loaded.schema(id);
    const file = directory === undefined ? location.file : resolve(directory, location.file);
    return (schema ? findPatternProblems(schema) : []).map((problem) => ({
      code: 'TW_PATTERN_UNSAFE' as const,
      message: `In the answer to the question "${key}", ${problem}.`,
      fix: PATTERN_FIX,
      location: `${file}:${location.line}:${location.column}`,
    }));
  });
}
