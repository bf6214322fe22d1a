import { resolve } from 'node:path';
import type { Manifest } from '@toolwright/manifest';
import { compileOnTheFly } from '../../build/compile-on-the-fly.js';
import type { DevLink } from './dev-link.js';

/** Core looks under this symbol for a provider that compiles manifests on the fly. */
const PROVIDER = Symbol.for('toolwright.manifestProvider');

/**
 * Gives servers the manifest of `dev`'s last compilation. Other packages of the workspace are compiled on the
 * fly.
 */
export function provideManifests(link: DevLink): void {
  let manifest: Manifest | undefined;
  let directory: string | undefined;
  let answered: (() => void) | undefined = link.expectAnswer();
  const arrived = new Promise<void>((resolve) => {
    link.on('manifest', (message) => {
      ({ manifest, directory } = message);
      answered?.();
      answered = undefined;
      resolve();
    });
  });
  (globalThis as Record<symbol, unknown>)[PROVIDER] = async (asked: string) => {
    await arrived;
    return directory === resolve(asked) ? manifest : compileOnTheFly(asked);
  };
}
