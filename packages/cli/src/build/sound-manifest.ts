import type { Manifest } from '@toolwright/manifest';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '@toolwright/operate/terminal';

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

/**
 * Compiles the manifest of a package when a server starts. It writes nothing beside the sources.
 *
 * @param directory of the package, as `createMcpServer` requests it
 * @returns undefined for packages that come with a manifest
 * @throws {CommandError} with all schema errors, if there are any
 */
export async function compileOnTheFly(directory: string): Promise<Manifest | undefined> {
  const project = join(directory, 'tsconfig.json');
  if (/[\\/]node_modules[\\/]/.test(directory) || !existsSync(project)) return undefined;
  const { buildManifest, formatDiagnostic } = await import('@toolwright/schema-compiler');
  const { manifest, diagnostics } = await buildManifest({ project });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return manifest;
  throw new CommandError(
    ['The signatures of tools cannot be compiled:', ...errors.map(formatDiagnostic)].join('\n  '),
  );
}
