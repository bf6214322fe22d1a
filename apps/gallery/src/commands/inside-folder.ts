import { relative } from 'node:path';
import type { RootedPath } from '@toolwright/safe';

/**
 * The path of a file as a command may be given it: inside the folder, links resolved, and never to be taken for an
 * option. It stays relative, so that what the command prints tells nothing about the folder's place.
 *
 * @throws {ToolError} when it leads out of the folder
 */
export async function insideFolder(folder: RootedPath, path: string): Promise<string> {
  return `./${relative(folder.root, await folder.resolve(path))}`;
}
