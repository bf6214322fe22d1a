import { transformerRecords } from '@toolwright/json';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ConfigurationError, type ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { lineage } from '../../base/metadata/class-records.js';
import type { AnyClass } from '../../base/metadata/store.js';
import { loadedModule, loadedPaths } from '../classes/import-module.js';

/** A copy of class-transformer that this process has loaded. Each keeps the records of its decorators for itself. */
interface Copy {
  /** The folder of the package. */
  readonly folder: string;
  readonly records: object;
}

/** The module with the records of a copy. */
export const TRANSFORMER_RECORDS = /[\\/]class-transformer[\\/]cjs[\\/]storage\.js$/;

/** All copies but the one that the server uses, if one of their decorators has run. Usually there is none. */
function otherCopies(): Copy[] {
  const loaded = loadedCopies();
  const own = loaded.length === 0 ? undefined : transformerRecords();
  return loaded.filter(({ records }) => records !== own && tablesOf(records).some(({ size }) => size > 0));
}

function loadedCopies(): Copy[] {
  const paths = loadedPaths().filter((path) => TRANSFORMER_RECORDS.test(path));
  return paths.flatMap((path) => {
    const records = loadedModule(path)?.['defaultMetadataStorage'] as object | undefined;
    return records ? [{ folder: dirname(dirname(path)), records }] : [];
  });
}

/** class-transformer keeps a table by class for each kind of its decorators. */
function tablesOf(records: object): ReadonlyMap<unknown, unknown>[] {
  return Object.values(records).filter((each): each is Map<unknown, unknown> => each instanceof Map);
}

/** A service whose classes may have decorators of another copy. */
export interface CopyUser {
  /** The folder of its package. */
  readonly directory: string | undefined;
  /** The classes of its values, which may be loaded only now. */
  readonly classes: () => readonly AnyClass[];
}

/**
 * Looks for decorators of class-transformer that the server cannot see, because the package of a service has a copy of
 * its own. What they rename, convert and hide would be as if they were not written.
 */
export function findTransformerCopies(users: readonly CopyUser[]): ConfigurationProblem[] {
  const copies = otherCopies();
  if (copies.length === 0) return [];
  return users.flatMap(({ directory, classes }) => {
    const used = directory === undefined ? undefined : copyOf(directory);
    const known = classes();
    return copies.flatMap((copy) => {
      const target = known.find((each) => knows(copy, each));
      if (target) return [seenBy(copy, `the class ${target.name}`)];
      return copy.folder === used ? [seenBy(copy, `classes of ${directory!}`)] : [];
    });
  });
}

/** @throws {ConfigurationError} for a class that a call has loaded, if its decorators are those of another copy */
export function refuseOtherCopies(target: AnyClass): void {
  const copy = otherCopies().find((each) => knows(each, target));
  if (copy) throw new ConfigurationError([seenBy(copy, `the class ${target.name}`)]);
}

function seenBy({ folder }: Copy, users: string): ConfigurationProblem {
  return {
    code: 'TW_PACKAGE_TWICE',
    message: `Decorators of class-transformer on ${users} are those of ${folder}, and the server uses ${ownFolder()}. The server cannot see what they hide, rename and convert.`,
    fix: 'Install class-transformer once, with the same version in each package.json: see `npm ls class-transformer`, `npm dedupe`.',
  };
}

function knows({ records }: Copy, target: AnyClass): boolean {
  const tables = tablesOf(records);
  return lineage(target).some((each) => tables.some((table) => table.has(each)));
}

function copyOf(directory: string): string | undefined {
  try {
    return dirname(dirname(createRequire(join(directory, 'package.json')).resolve('class-transformer')));
  } catch {
    return undefined;
  }
}

function ownFolder(): string {
  const own = transformerRecords();
  return loadedCopies().find(({ records }) => records === own)?.folder ?? 'another copy';
}
