import type { Manifest, ManifestClass, ManifestEntry, Revival, SourceLocation } from '@toolwright/manifest';
import type { BuildResult, SchemaDiagnostic } from '@toolwright/schema-compiler';
import { loadCore } from '../load-core.js';

/** A problem of the compiler's, or one that a server would find when it starts. */
export type BuildDiagnostic = Omit<SchemaDiagnostic, 'code'> & { code: string };

/**
 * What no server starts with, told when it is written, by the entry's key. The checks are those of a server, on what
 * it would publish.
 */
export async function findBootDiagnostics({
  manifest,
  declared,
}: Pick<BuildResult, 'manifest' | 'declared'>): Promise<ReadonlyMap<string, BuildDiagnostic[]>> {
  const { findDeclaredProblems } = loadCore();
  const byEntry = new Map(
    manifest.entries.map(({ key, location }) => [key, { location, found: noDiagnostics() }]),
  );
  for (const { key, code, message, fix } of findDeclaredProblems(manifest, declared)) {
    const { location, found } = byEntry.get(key)!;
    found.push(diagnostic(code, `${message} ${fix}`, location));
  }
  const ofClass = await classPatterns(manifest);
  return new Map(
    manifest.entries.map(({ key, revive }) => [
      key,
      [...byEntry.get(key)!.found, ...classesIn(revive, manifest).flatMap(ofClass)],
    ]),
  );
}

const noDiagnostics = (): BuildDiagnostic[] => [];

/** The patterns of a class are told once, with the first method that takes it. */
async function classPatterns({ classes }: Manifest): Promise<(key: string) => BuildDiagnostic[]> {
  const { findFlaggedFaults, PATTERN_FIX } = loadCore();
  const told = new Set<string>();
  return (key) => {
    if (told.has(key)) return [];
    told.add(key);
    const { name, patterns = [] } = classes[key] ?? ({} as Partial<ManifestClass>);
    return patterns.flatMap(({ location, ...pattern }) =>
      findFlaggedFaults([pattern]).map((fault) =>
        diagnostic('TW_PATTERN_UNSAFE', `In the class ${name}, ${fault}. ${PATTERN_FIX}`, location),
      ),
    );
  };
}

function diagnostic(code: string, message: string, location: SourceLocation): BuildDiagnostic {
  return { code, severity: 'error', message, ...location };
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
