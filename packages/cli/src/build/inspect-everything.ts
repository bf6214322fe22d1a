import { buildManifest, inspectProject, type InspectedEntry } from '@toolwright/schema-compiler';
import { findBootDiagnostics, type BuildDiagnostic } from './boot-diagnostics.js';

/** What the compiler makes of a method, and all that keeps it from being served. */
export type InspectedMethod = Omit<InspectedEntry, 'diagnostics'> & { diagnostics: BuildDiagnostic[] };

/** @throws {ProjectError} the tsconfig cannot be read */
export async function inspectEverything(project: string): Promise<InspectedMethod[]> {
  const entries = await inspectProject({ project });
  // The manifest knows the places. The compiler has kept what it found, so that it does not work twice.
  const unfit = await findBootDiagnostics(await buildManifest({ project }));
  return entries.map((entry) => ({
    ...entry,
    diagnostics: [...entry.diagnostics, ...(unfit.get(entry.key) ?? [])],
  }));
}
