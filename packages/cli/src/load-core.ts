import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Loads `@toolwright/core`, which only some commands need. It uses `require`, because for an `import()`
 * Node.js first searches the whole bundle for the names of its exports. That takes longer than running it.
 */
export function loadCore(): typeof import('@toolwright/core') {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return require('@toolwright/core') as typeof import('@toolwright/core');
}

/** Does the same for the part that checks operations and schemas without a server. */
export function loadChecks(): typeof import('@toolwright/core/checks') {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return require('@toolwright/core/checks') as typeof import('@toolwright/core/checks');
}

/** The `package.json` of this package. */
export function readDescription(): { version: string; dependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')) as { version: string };
}

/** The version of this package. */
export const readVersion = (): string => readDescription().version;
