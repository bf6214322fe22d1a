import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

const lockFiles: Record<string, PackageManager> = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'package-lock.json': 'npm',
};

/** The package manager of the surrounding workspace, otherwise the one that called us, otherwise npm. */
export function packageManagerOf(
  directory: string,
  env: Readonly<Record<string, string | undefined>>,
): PackageManager {
  const called = /^(pnpm|yarn|bun)\//.exec(env['npm_config_user_agent'] ?? '')?.[1];
  return lockedBy(directory) ?? (called as PackageManager | undefined) ?? 'npm';
}

/** The package manager with a lockfile in this folder or a folder above it. */
function lockedBy(directory: string): PackageManager | undefined {
  const file = Object.keys(lockFiles).find((name) => existsSync(join(directory, name)));
  if (file !== undefined) return lockFiles[file];
  return dirname(directory) === directory ? undefined : lockedBy(dirname(directory));
}
