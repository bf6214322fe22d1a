import { getOrMake, type Revival } from '@toolwright/json';
import type { Manifest, ManifestClass, ManifestEntry, SourceLocation } from '@toolwright/manifest';
import {
  type BuildResult,
  type InspectedEntry,
  type SchemaDiagnostic,
  buildManifest,
  inspectProject,
} from '@toolwright/schema-compiler';
import { loadChecks } from '../load-core.js';
import { findDeclaredProblems, KnownProblems } from './declared-problems.js';

/** A problem that the compiler found, or that a server would find when it starts. */
export type BuildDiagnostic = Omit<SchemaDiagnostic, 'code'> & { code: string };

type DeclaredCheck = typeof findDeclaredProblems;

/** The same check, for a manifest that is written after each edit: it looks only at what has changed. */
export function checkAgain(): DeclaredCheck {
  const known = new KnownProblems();
  return (manifest, declared) => known.find(manifest, declared);
}

/**
 * Problems that would keep every server from starting, by the key of the entry. The checks are those of a
 * server, on what it would publish.
 *
 * @param find the check of one operation
 */
export async function findBootDiagnostics(
  { manifest, declared }: Pick<BuildResult, 'manifest' | 'declared'>,
  find: DeclaredCheck = findDeclaredProblems,
): Promise<ReadonlyMap<string, BuildDiagnostic[]>> {
  const byEntry = new Map(
    manifest.entries.map(({ key, location }) => [key, { location, found: noDiagnostics() }]),
  );
  for (const { key, code, message, fix } of find(manifest, declared)) {
    const { location, found } = byEntry.get(key)!;
    found.push(diagnostic(code, `${message} ${fix}`, location));
  }
  const problemsOf = classPatterns(manifest);
  const reported = new Set<string>();
  return new Map(
    manifest.entries.map(({ key, revive }) => {
      const classes = classesIn(revive, manifest).filter((name) => problemsOf(name).length > 0);
      const { found } = byEntry.get(key)!;
      // A pattern of a class is reported once, at the class, with the first method that uses the class. It is
      // not reported again for each schema that contains it.
      const own = classes.length > 0 ? found.filter(({ code }) => code !== 'TW_PATTERN_UNSAFE') : found;
      const fresh = classes.filter((name) => !reported.has(name));
      for (const name of fresh) reported.add(name);
      return [key, [...own, ...fresh.flatMap(problemsOf)]];
    }),
  );
}

const noDiagnostics = (): BuildDiagnostic[] => [];

/** Problems with the patterns of each class, by the key of the class. */
function classPatterns({ classes }: Manifest): (key: string) => readonly BuildDiagnostic[] {
  const { findFlaggedProblems, PATTERN_FIX } = loadChecks();
  const known = new Map<string, BuildDiagnostic[]>();
  const find = (key: string) => {
    const { name, patterns = [] } = classes[key] ?? ({} as Partial<ManifestClass>);
    return patterns.flatMap(({ location, ...pattern }) =>
      findFlaggedProblems([pattern]).map((problem) =>
        diagnostic('TW_PATTERN_UNSAFE', `In the class ${name}, ${problem}. ${PATTERN_FIX}`, location),
      ),
    );
  };
  return (key) => getOrMake(known, key, () => find(key));
}

function diagnostic(code: string, message: string, location: SourceLocation): BuildDiagnostic {
  return { code, severity: 'error', message, ...location };
}

/** The keys of the classes that arguments become instances of. */
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

/** What the compiler found out about a method, with everything that keeps a server from serving it. */
export type InspectedMethod = Omit<InspectedEntry, 'diagnostics'> & { diagnostics: BuildDiagnostic[] };

/** @throws {ProjectError} the tsconfig cannot be read */
export async function inspectEverything(project: string): Promise<InspectedMethod[]> {
  const entries = await inspectProject({ project });
  // The manifest contains the places. The compiler has cached its results, so this does not compile again.
  const unfit = await findBootDiagnostics(await buildManifest({ project }));
  return entries.map((entry) => ({
    ...entry,
    diagnostics: [...entry.diagnostics, ...(unfit.get(entry.key) ?? [])],
  }));
}
