import { type RootedPath, rootedPath } from '@toolwright/safe';
import { Token } from '@toolwright/core';

/** The one folder that tools may read files in. Paths that models send are resolved by it, and never leave it. */
export const DATA_FOLDER = new Token<RootedPath>('data folder');

/** Provides the folder. A refused path is answered with where to find better ones. */
export function dataFolder(path: string) {
  const advice = 'Send the path of a file below the data folder, as list_csv_files gives it.';
  return { provide: DATA_FOLDER, useFactory: () => rootedPath(path, { advice }) };
}
