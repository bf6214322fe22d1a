import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { jsonText } from '../../changes/json-text.js';
import type { Json } from '../../lint/directories/server-json/values.js';
import { packedFiles } from './packed-files.js';
import { productionTree, type PlacedPackage } from './production-tree.js';

/**
 * Copies into an empty folder what a bundle contains: the files that npm would publish, the packages of production, and
 * the manifest.
 *
 * @throws {CommandError} if a package is not installed
 */
export function stageBundle(project: string, manifest: Json, stage: string): void {
  const tree = productionTree(project);
  // The project and packages of its workspace have sources and tests, too.
  const ours = tree.filter(({ from }) => !from.includes(`${sep}node_modules${sep}`));
  const files = packedFiles(
    ours.map(({ from }) => from),
    project,
  );
  for (const { from, to } of tree) {
    const listed = files.get(from);
    if (listed === undefined) copyInstalled({ from, to }, stage);
    else for (const file of listed) copyFile(join(from, file), join(stage, to, file));
  }
  writeFileSync(join(stage, 'manifest.json'), jsonText(manifest));
}

function copyFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { dereference: true });
}

/** The packages inside are placed on their own. */
function copyInstalled({ from, to }: PlacedPackage, stage: string): void {
  cpSync(from, join(stage, to), {
    recursive: true,
    dereference: true,
    filter: (path) => path === from || basename(path) !== 'node_modules',
  });
}
