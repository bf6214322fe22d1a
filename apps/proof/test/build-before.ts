import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '../../..');

/**
 * The last commit before core had one record for each method of the protocol. PROOF_BASE names another one, or a folder that is
 * built.
 */
const BASE = process.env.PROOF_BASE ?? '1a793023';

/** A built checkout of this repository. */
export interface Build {
  /** The commit, or the folder. */
  name: string;
  folder: string;
  remove(): void;
}

/** This checkout. */
export const present: Build = { name: 'this checkout', folder: root, remove: () => {} };

/**
 * The commit before, installed and built beside this checkout. It takes minutes.
 *
 * @throws {Error} when the history of this clone does not have it
 */
export function buildBefore(): Build {
  if (existsSync(BASE)) return { name: BASE, folder: BASE, remove: () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-before-'));
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const archive = join(folder, 'before.tar');
  execFileSync('git', ['archive', '--output', archive, BASE], { cwd: root });
  run('tar', '-xf', archive);
  run('pnpm', 'install', '--frozen-lockfile', '--prefer-offline');
  run('pnpm', 'build');
  return { name: BASE, folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
