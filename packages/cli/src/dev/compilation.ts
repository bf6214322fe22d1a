import type { Manifest } from '@toolwright/manifest';
import type { Problem } from './problem.js';

/** How a compilation ended. */
export interface Compilation {
  readonly problems: readonly Problem[];
  readonly manifest: Manifest;
  readonly durationMs: number;
}
