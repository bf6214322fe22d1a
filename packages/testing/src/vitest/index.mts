import { fileURLToPath } from 'node:url';
import type {} from 'vitest';
import type { ToolMatchers } from '../matchers/matchers.js';

declare module 'vitest' {
  // The name and the parameters are Vitest's own: interfaces merge only when they are the same.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any, @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type
  interface Matchers<T = any> extends ToolMatchers<void> {}
}

/** A plug-in of Vite, with the part that Vitest reads. */
export interface VitestPlugin {
  name: string;
  config(): {
    test: { setupFiles: string[]; testTimeout: number; server: { deps: { inline: RegExp[] } } };
  };
}

/**
 * The plug-in for Vitest. It adds the matchers. It compiles the manifests of decorated classes when a test
 * needs them, so that no test needs a build before. The server loads further classes through Vitest, so that
 * every module exists once.
 *
 * @example
 * // vitest.config.ts
 * export default defineConfig({ plugins: [toolwright()] });
 */
export function toolwright(): VitestPlugin {
  return {
    name: 'toolwright',
    config: () => ({
      test: {
        setupFiles: [fileURLToPath(new URL('setup.mjs', import.meta.url))],
        // The first test of a file that needs a manifest waits for the compiler: seconds, where nothing is
        // cached yet.
        testTimeout: 120_000,
        // Vitest has to run the setup file itself: only then does its `import()` go through Vitest.
        server: { deps: { inline: [/testing[\\/]dist[\\/]vitest[\\/]setup\.mjs$/] } },
      },
    }),
  };
}
