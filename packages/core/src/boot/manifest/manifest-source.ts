import type { MaybePromise } from '../../base/maybe-promise.js';
import type { Manifest } from '@toolwright/manifest';

/**
 * Returns the manifest of the package in a directory, or `undefined` when the package's own file should be
 * used. This is how core gets manifests that are compiled on the fly. Core asks for them and never loads a
 * compiler itself.
 */
export type ManifestProvider = (packageDirectory: string) => MaybePromise<Manifest | undefined>;

/**
 * The path of a manifest file, a manifest that was already read or compiled, or a function that returns
 * manifests.
 */
export type ManifestSource = string | Manifest | ImportedManifest | ManifestProvider;

/** What TypeScript knows of `import manifest from './mcp.manifest.json'`. The server checks the rest. */
export interface ImportedManifest {
  readonly format: number;
  readonly compiler: string;
  readonly schemas: object;
  readonly classes: object;
  readonly entries: readonly object[];
}

/**
 * The property of `globalThis` in which a module that was loaded with `node --import` leaves its
 * `ManifestProvider`. Such a module runs before the application and shares nothing else with it.
 */
export const MANIFEST_PROVIDER = Symbol.for('toolwright.manifestProvider');

/** The provider that such a module left, if any. */
export function ambientProvider(): ManifestProvider | undefined {
  return (globalThis as { [MANIFEST_PROVIDER]?: ManifestProvider })[MANIFEST_PROVIDER];
}
