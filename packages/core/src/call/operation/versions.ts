import type { BoundOperation } from './operation.js';
import { type Identified, addressOf } from './keys.js';

type Versioned = Pick<BoundOperation, 'version' | 'versionOf'>;

/**
 * The name that means one version of a tool for good. The bare name means the newest version, and a release may bring a
 * newer one. So whatever outlives its request is kept under this name.
 */
export function exactName({ name, version, versionOf }: Pick<BoundOperation, 'name'> & Versioned): string {
  return versionOf === undefined ? name : `${versionOf}.v${version}`;
}

/** The same for every name of one version, and different for every other operation that a caller may use. */
export function exactKey(operation: Identified & Versioned): string {
  const { kind, versionOf } = operation;
  return `${kind} ${versionOf === undefined ? addressOf(operation) : exactName(operation)}`;
}

/** Negative if the first one is older. Numbers in versions count as numbers: 10 is newer than 9. */
export function compareVersions(one: Versioned, other: Versioned): number {
  return (one.version ?? '').localeCompare(other.version ?? '', 'en', { numeric: true });
}
