import { resolve } from 'node:path';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { findPatternFaults, PATTERN_FIX } from '../../base/schema/find-pattern-faults.js';
import type { LoadedManifest } from '../manifest/loaded-manifest.js';

/**
 * Finds patterns of typed questions that could take too long on an answer, because somebody else writes the
 * answer.
 */
export function findQuestionPatternProblems(loaded: LoadedManifest): ConfigurationProblem[] {
  const { manifest, directory } = loaded;
  return Object.entries(manifest.questions ?? {}).flatMap(([key, { schema: id, location }]) => {
    const schema = loaded.schema(id);
    const file = directory === undefined ? location.file : resolve(directory, location.file);
    return (schema ? findPatternFaults(schema) : []).map((fault) => ({
      code: 'TW_PATTERN_UNSAFE' as const,
      message: `In the answer to the question "${key}", ${fault}.`,
      fix: PATTERN_FIX,
      location: `${file}:${location.line}:${location.column}`,
    }));
  });
}
