import { type RootedPath, rootedPath } from '@toolwright/safe';
import { Token } from '@toolwright/core';

/** The one folder that tools may read files in. Paths that models send are resolved by it, and never leave it. */
export const DATA_FOLDER = new Token<RootedPath>('data folder');

/** Provides the folder. */
export function dataFolder(path: string) {
  return { provide: DATA_FOLDER, useFactory: () => rootedPath(path) };
}
