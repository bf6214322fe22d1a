import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ConfigurationError } from '@toolwright/core';

// The name is a variable, so that nothing that bundles this package looks for it.
const PACKAGE = '@toolwright/identity';

/**
 * Loads one function of the identity package. A server without an option that needs it loads none of it.
 *
 * @param name of the function
 * @param option of `oauthResourceServer` that needs it
 * @throws {ConfigurationError} `TW_PACKAGE_MISSING`, also for a version of the package that is too old
 */
export function loadIdentity<F>(name: string, option: string): F {
  const found = loadPackage()?.[name];
  if (typeof found === 'function') return found as F;
  throw new ConfigurationError({
    code: 'TW_PACKAGE_MISSING',
    message: `The option "${option}" of oauthResourceServer needs the package ${PACKAGE}, which is not installed here.`,
    fix: `Run \`npm install ${PACKAGE}\`, or leave out "${option}".`,
  });
}

function loadPackage(): Record<string, unknown> | undefined {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- it is optional
    return require(PACKAGE) as Record<string, unknown>;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  // With strict package folders, this package does not see what only the application has installed.
  for (const from of [process.argv[1], join(process.cwd(), 'package.json')]) {
    try {
      if (from) return createRequire(from)(PACKAGE) as Record<string, unknown>;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return undefined;
}

function isMissing(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'MODULE_NOT_FOUND' || code === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
}
