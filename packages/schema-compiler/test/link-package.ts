import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TemporaryProject } from './temporary-project.js';

/** Makes a package that this repository has installed available in a project. */
export function linkPackage({ root }: TemporaryProject, name: string): void {
  const paths = ['..', '../../core', '../../..'].map((folder) => join(__dirname, folder));
  const place = join(root, 'node_modules', name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(dirname(require.resolve(`${name}/package.json`, { paths })), place, 'dir');
}
