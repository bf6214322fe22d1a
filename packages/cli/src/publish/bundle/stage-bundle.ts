import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { MANIFEST_FILE } from '@toolwright/manifest';
import { CommandError } from '../../command-error.js';
import { jsonText } from '../../changes/json-text.js';
import type { Json } from '../../lint/directories/server-json/values.js';
import { packedFiles } from './packed-files.js';
import { productionTree, type PlacedPackage } from './production-tree.js';

export interface BundleContent {
  /** The folder of the project. */
  project: string;
  manifest: Json;
  /** The files without which the server does not start, relative to the project, with forward slashes. */
  needed: readonly string[];
}

/**
 * Copies into an empty folder what a bundle contains: the files that npm would publish, the packages of production, and
 * the manifest.
 *
 * @throws {CommandError} if a package is not installed, or npm would not publish a file that is needed
 */
export function stageBundle({ project, manifest, needed }: BundleContent, stage: string): void {
  const tree = productionTree(project);
  // The project and packages of its workspace have sources and tests, too.
  const ours = tree.filter(({ from }) => !from.includes(`${sep}node_modules${sep}`));
  const files = packedFiles(
    ours.map(({ from }) => from),
    project,
  );
  const missing = needed.filter((file) => !files.get(tree[0]!.from)!.includes(file));
  if (missing.length > 0)
    throw new CommandError(
      `npm would not publish ${missing.join(' and ')}. Write into package.json: "files": ["dist", "${MANIFEST_FILE}"]`,
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
