import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The TypeScript that a project has installed. */
export interface OwnTypeScript {
  version: string;
  /** Absolute path of its `package.json`. */
  packageFile: string;
}

/** @returns undefined where the project has none */
export function ownTypeScript(configFile: string): OwnTypeScript | undefined {
  try {
    const packageFile = createRequire(configFile).resolve('typescript/package.json');
    const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
    return { version, packageFile };
  } catch {
    return undefined;
  }
}

/** The version of the TypeScript that reads signatures. This function does not load the compiler. */
export function readingTypeScript(): string {
  const generator = require.resolve('typescript-json-schema/package.json');
  return ownTypeScript(join(dirname(generator), 'tsconfig.json'))!.version;
}

/**
 * Whether two versions read the same source in the same way. Versions that differ only in the patch number
 * do.
 */
export function readsAlike(a: string, b: string): boolean {
  return minor(a) === minor(b);
}

const minor = (version: string) => version.split('.', 2).join('.');
