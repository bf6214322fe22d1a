import type { JsonSchema, Manifest } from '@toolwright/manifest';
import type { SchemaDiagnostic } from '@toolwright/schema-compiler';

/** A problem of the compiler's, or one that a server would find when it starts. */
export type BuildDiagnostic = Omit<SchemaDiagnostic, 'code'> & { code: string };

const FIX =
  'Write it so that each repeated part begins with a character of its own, such as ^[a-z]+(-[a-z]+)*$.';

/**
 * Patterns of arguments that no server starts with, since a short text can keep them busy: told when they are
 * written, by the entry's key.
 */
export async function findPatternDiagnostics({
  entries,
  schemas,
}: Manifest): Promise<ReadonlyMap<string, BuildDiagnostic[]>> {
  const written = entries.filter(({ input }) => hasPattern(schemas[input]));
  if (written.length === 0) return new Map();
  const { findPatternFaults } = await import('@toolwright/core');
  return new Map(
    written.map(({ key, input, location }) => [
      key,
      findPatternFaults(schemas[input]!).map((fault) => ({
        code: 'TW_PATTERN_UNSAFE',
        severity: 'error',
        message: `Of the arguments, ${fault}. ${FIX}`,
        ...location,
      })),
    ]),
  );
}

/** At a glance: most schemas have none, and to look closer means to load the whole of core. */
export function hasPattern(schema: JsonSchema | undefined): boolean {
  return schema !== undefined && JSON.stringify(schema).includes('"pattern');
}
