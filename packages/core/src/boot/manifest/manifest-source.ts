import type { MaybePromise } from '../../base/maybe-promise.js';
import type { Manifest } from '@toolwright/manifest';

/**
 * Gives the manifest of the package in a directory, or undefined to leave that package to its file. This is how
 * compiling on the fly gets in: core asks, and never loads a compiler itself.
 */
export type ManifestProvider = (packageDirectory: string) => MaybePromise<Manifest | undefined>;

/** Path of a manifest file, a manifest that was read or compiled already, or something that gives them. */
export type ManifestSource = string | Manifest | ManifestProvider;

/**
 * Property of `globalThis` where a module loaded with `node --import` leaves its `ManifestProvider`, because it runs
 * before the application and shares nothing else with it.
 */
export const MANIFEST_PROVIDER = Symbol.for('toolwright.manifestProvider');

/** The provider that a loaded hook left, if any. */
export function ambientProvider(): ManifestProvider | undefined {
  return (globalThis as { [MANIFEST_PROVIDER]?: ManifestProvider })[MANIFEST_PROVIDER];
}
