import { buildManifest, inspectProject, type InspectedEntry } from '@toolwright/schema-compiler';
import { findPatternDiagnostics, type BuildDiagnostic } from './pattern-diagnostics.js';

/** What the compiler makes of a method, and all that keeps it from being served. */
export type InspectedMethod = Omit<InspectedEntry, 'diagnostics'> & { diagnostics: BuildDiagnostic[] };

/** @throws {ProjectError} the tsconfig cannot be read */
export async function inspectEverything(project: string): Promise<InspectedMethod[]> {
  const entries = await inspectProject({ project });
  // The manifest knows the places. The compiler has kept what it found, so that it does not work twice.
  const unsafe = await findPatternDiagnostics((await buildManifest({ project })).manifest);
  return entries.map((entry) => ({
    ...entry,
    diagnostics: [...entry.diagnostics, ...(unsafe.get(entry.key) ?? [])],
  }));
}
