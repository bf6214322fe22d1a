import type { JsonSchema, Manifest, ManifestClass, ManifestEntry, Revival } from '@toolwright/manifest';
import type { SchemaDiagnostic } from '@toolwright/schema-compiler';

/** A problem of the compiler's, or one that a server would find when it starts. */
export type BuildDiagnostic = Omit<SchemaDiagnostic, 'code'> & { code: string };

/**
 * Patterns that no server starts with, since a short text can keep them busy: told when they are written, by the
 * entry's key. Those of a class are told once, with the first method that takes it.
 */
export async function findPatternDiagnostics(
  manifest: Manifest,
): Promise<ReadonlyMap<string, BuildDiagnostic[]>> {
  const { entries, schemas, classes } = manifest;
  const written = entries.filter(
    ({ input, output, revive }) =>
      hasPattern(schemas[input]) ||
      (output !== null && hasPattern(schemas[output])) ||
      classesIn(revive, manifest).some((key) => classes[key]?.patterns),
  );
  if (written.length === 0) return new Map();
  const { findFlaggedFaults, findPatternFaults, PATTERN_FIX } = await import('@toolwright/core');
  const told = new Set<string>();
  const ofSchema = (schema: JsonSchema | undefined, what: string, { location }: ManifestEntry) =>
    (schema ? findPatternFaults(schema) : []).map((fault) =>
      diagnostic(`Of the ${what}, ${fault}. ${PATTERN_FIX}`, location),
    );
  const ofClass = (key: string): BuildDiagnostic[] => {
    if (told.has(key)) return [];
    told.add(key);
    const { name, patterns = [] } = classes[key] ?? ({} as Partial<ManifestClass>);
    return patterns.flatMap(({ location, ...pattern }) =>
      findFlaggedFaults([pattern]).map((fault) =>
        diagnostic(`In the class ${name}, ${fault}. ${PATTERN_FIX}`, location),
      ),
    );
  };
  return new Map(
    written.map((entry) => [
      entry.key,
      [
        ...ofSchema(schemas[entry.input], 'arguments', entry),
        ...(entry.output === null ? [] : ofSchema(schemas[entry.output], 'result', entry)),
        ...classesIn(entry.revive, manifest).flatMap(ofClass),
      ],
    ]),
  );
}

/** At a glance: most schemas have none, and to look closer means to load the whole of core. */
function hasPattern(schema: JsonSchema | undefined): boolean {
  return schema !== undefined && JSON.stringify(schema).includes('"pattern');
}

function diagnostic(message: string, location: ManifestEntry['location']): BuildDiagnostic {
  return { code: 'TW_PATTERN_UNSAFE', severity: 'error', message, ...location };
}

/** The keys of the classes that arguments are revived into. */
function classesIn({ input = {} }: ManifestEntry['revive'], { revivals = {} }: Manifest): string[] {
  const keys = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const { kind, class: key, name } = value as { kind?: Revival['kind']; class?: unknown; name?: unknown };
    if (kind === 'object' && typeof key === 'string') keys.add(key);
    if (kind === 'ref' && typeof name === 'string') visit(revivals[name]);
    Object.values(value).forEach(visit);
  };
  visit(input);
  return [...keys];
}
