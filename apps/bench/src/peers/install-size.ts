import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What `npm install` brings. */
export interface InstallSize {
  packages: number;
  bytes: number;
}

/**
 * Installs packages into an empty folder as a user does, without running their scripts.
 *
 * @param packages as npm takes them: `name@version`, or the path of an archive
 */
export function installSize(packages: readonly string[]): InstallSize {
  const folder = mkdtempSync(join(tmpdir(), 'bench-install-'));
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'install', private: true }));
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
    execFileSync('npm', ['install', ...quiet, ...packages], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
    return sizeOf(join(folder, 'node_modules'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sizeOf(folder: string): InstallSize {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const isPackage = /(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/;
  return {
    packages: files.filter(
      ({ name, parentPath }) => name === 'package.json' && isPackage.test(parentPath.replaceAll('\\', '/')),
    ).length,
    bytes: files.reduce((sum, { name, parentPath }) => sum + statSync(join(parentPath, name)).size, 0),
  };
}
