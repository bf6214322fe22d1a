import { buildManifest, inspectProject, type InspectedEntry } from '@toolwright/schema-compiler';
import { findBootDiagnostics, type BuildDiagnostic } from './boot-diagnostics.js';

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
