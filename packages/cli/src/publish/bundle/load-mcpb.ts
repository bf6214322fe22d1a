import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { CommandError } from '@toolwright/operate/terminal';

/** What we need of the bundler. */
export interface Mcpb {
  /** @returns false if the manifest is wrong or a file cannot be read; the reason is printed */
  packExtension(options: { extensionPath: string; outputPath: string; silent: boolean }): Promise<boolean>;
}

/**
 * Finds the bundler that the project has installed. It brings 55 packages of 17 MB, so only those who make bundles have it.
 *
 * @param places files beside which it may be installed: those of the project, and of this package
 * @throws {CommandError} that says how to install it
 */
export function findMcpb(places: readonly string[]): string {
  for (const from of places) {
    try {
      return createRequire(from).resolve('@anthropic-ai/mcpb');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new CommandError(
    'A bundle is packed by @anthropic-ai/mcpb: npm install --save-dev @anthropic-ai/mcpb@2',
  );
}

export async function loadMcpb(path: string): Promise<Mcpb> {
  return (await import(pathToFileURL(path).href)) as Mcpb;
}
