import type { Manifest } from './manifest.js';

/** A project that was just compiled. */
export interface BuiltProject {
  /** The folder of its manifest. Paths in the manifest are relative to it. */
  readonly root: string;
  readonly manifest: Manifest;
}

/**
 * What a package does whenever a project that depends on it is built. The package exports it as `buildStep` of its entry
 * `./build-step`. All values are plain JSON, and the same project gives the same value.
 *
 * @example
 * export const buildStep: BuildStep = {
 *   name: '@example/units',
 *   manifest: ({ manifest }) => ({ entries: manifest.entries.length }),
 * };
 */
export interface BuildStep {
  /** The name of the package. Its fields have it. */
  readonly name: string;
  /** The field of the package in the manifest (`Manifest.extensions`); `undefined` for none. */
  manifest?(project: BuiltProject): unknown;
  /**
   * The field of the package in the lock: what callers depend on and no tool shows. `toolwright diff` reports each member
   * of it that has changed.
   */
  lock?(project: BuiltProject): Readonly<Record<string, unknown>> | undefined;
}
