import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contestant } from '../contestants/catalogue.js';
import { appFolder } from '../folders.js';

/** The installed versions of the packages that the contestants stand for. */
export function installedVersions(contestants: Contestant[]): Record<string, string> {
  const names = [...new Set(contestants.flatMap(({ packages }) => packages))].sort();
  return Object.fromEntries(names.map((name) => [name, installedVersion(name)]));
}

export function installedVersion(name: string): string {
  const file = join(appFolder, 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
