import type { Manifest } from '@toolwright/manifest';
import { CommandError } from '../command-error.js';

/**
 * The manifest of a project, for commands that look at its tools.
 *
 * @param project absolute path of the tsconfig
 * @throws {CommandError} the project has schema errors
 */
export async function soundManifest(project: string): Promise<Manifest> {
  const { buildManifest } = await import('@toolwright/schema-compiler');
  const { manifest, diagnostics } = await buildManifest({ project });
  if (diagnostics.some(({ severity }) => severity === 'error'))
    throw new CommandError('The project has schema errors: see toolwright build.');
  return manifest;
}
