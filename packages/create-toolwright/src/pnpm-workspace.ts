import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const settings = 'pnpm-workspace.yaml';

/**
 * The folder of a package in its workspace of pnpm, with forward slashes: `apps/notes`. `undefined` for a package of its
 * own, and for one that has its own lockfile.
 *
 * @param directory absolute path of the package
 */
export function folderInWorkspace(directory: string): string | undefined {
  if (existsSync(join(directory, 'pnpm-lock.yaml'))) return undefined;
  const root = rootAbove(directory);
  return root === undefined ? undefined : relative(root, directory).replaceAll('\\', '/');
}

function rootAbove(directory: string): string | undefined {
  const above = dirname(directory);
  if (above === directory) return undefined;
  const file = join(above, settings);
  // A package of its own may keep settings in such a file.
  return existsSync(file) && /^packages:/m.test(readFileSync(file, 'utf8')) ? above : rootAbove(above);
}

/** Packages of an app with Jest that have install scripts. They come with their programs, so they work without these. */
const scripted = ['@parcel/watcher', '@swc/core'];

/**
 * pnpm ends with an error until somebody decides about the scripts of packages. Its settings are at the root of a
 * workspace, or in a package of its own. What is decided there already stays.
 *
 * @param directory absolute path of the package
 * @returns what to tell a person whose file was changed, or could not be
 */
export function refuseScripts(directory: string): string | undefined {
  const root = folderInWorkspace(directory) === undefined ? undefined : rootAbove(directory);
  const file = join(root ?? directory, settings);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(eol);
  const at = lines.findIndex((line) => /^allowBuilds\s*:/.test(line));
  const next = lines.findIndex((line, index) => index > at && /^[^\s#]/.test(line));
  const entries = at < 0 ? [] : lines.slice(at + 1, next < 0 ? undefined : next);
  const indent = /^\s+/.exec(entries.find((line) => /^\s+[^\s#]/.test(line)) ?? '')?.[0] ?? '  ';
  const isDecided = (name: string) =>
    entries.some((line) => new RegExp(`^\\s+["']?${name}["']?\\s*:`).test(line));
  const missing = scripted.filter((name) => !isDecided(name)).map((name) => `${indent}'${name}': false`);
  if (missing.length === 0) return undefined;
  if (at >= 0 && !/^allowBuilds\s*:\s*(#.*)?$/.test(lines[at]!))
    return `${file} decides about install scripts in a line that is not changed here. Write in its allowBuilds, or pnpm ends with ERR_PNPM_IGNORED_BUILDS:\n${missing.join('\n')}\n`;
  if (at >= 0) lines.splice(at + 1, 0, ...missing);
  else lines.splice(lines.at(-1) === '' ? -1 : lines.length, 1, 'allowBuilds:', ...missing, '');
  writeFileSync(file, lines.join(eol));
  return (
    root &&
    `Written to ${file}: pnpm does not run the install scripts of packages that work without them:\n${missing.join('\n')}\n`
  );
}
