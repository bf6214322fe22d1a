import { join } from 'node:path';

/** The program of the threads. It is beside the bundle of the package, wherever this module runs from. */
export const workerFile = (): string =>
  join(require.resolve('@toolwright/code/package.json'), '../dist/worker.bundle.js');
