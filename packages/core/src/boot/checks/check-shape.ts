import 'reflect-metadata';
import type { ManifestEntry } from '@toolwright/manifest';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import type { AnyClass } from '../../base/metadata/store.js';
import { BUILD } from '../manifest/build-hint.js';
import type { ClassEntry } from '../manifest/loaded-manifest.js';
import { problemAt } from '../../base/metadata/site-problem.js';
import type { DecoratedMethod, Service } from '../services/service.js';

/**
 * Reports a manifest that was compiled from another version of the running class: with other decorated
 * methods, or other parameters. It compares the values behind the hash in `ManifestEntry.shape`. That is
 * faster than hashing them again, and shows what differs.
 */
export function checkShape(service: Service, match: ClassEntry): ConfigurationProblem | undefined {
  const differences = findDifferences(service, match);
  if (differences.length === 0) return undefined;
  return problemAt(service.site, 'TW_MANIFEST_STALE', {
    message: `${match.manifest.source} describes another version of ${service.name}: ${differences.join('; ')}.`,
    fix: BUILD,
  });
}

function findDifferences({ target, operations }: Service, { entry, entries }: ClassEntry): string[] {
  const found: string[] = [];
  const met = new Set<ManifestEntry>();
  for (const operation of operations) {
    const known = entry(operation);
    if (!known) {
      found.push(`${operation.method} is not in it`);
      continue;
    }
    met.add(known);
    const expected = known.parameters.length;
    const arity = arityOf(target, operation, expected);
    if (arity !== expected) found.push(`${operation.method} takes ${arity} parameters, not ${expected}`);
  }
  for (const each of entries) if (!met.has(each)) found.push(`${each.method} is no longer decorated`);
  return found;
}

/** The number of a method's parameters, as far as the running class shows it. */
function arityOf(target: AnyClass, { method, static: isStatic }: DecoratedMethod, expected: number): number {
  const holder = (isStatic ? target : target.prototype) as Record<string, { length: number } | undefined>;
  // Most methods are on the class itself, so this is tried first. Searching the prototype chain takes twice
  // as long.
  const emitted = (Reflect.getOwnMetadata(EMITTED, holder, method) ??
    Reflect.getMetadata(EMITTED, holder, method)) as readonly unknown[] | undefined;
  const required = holder[method]?.length ?? 0;
  // `length` ends at the first default, and is 0 for methods that another decorator wrapped. So it can only
  // show a difference, not equality.
  return emitted?.length ?? Math.max(required, expected);
}

const EMITTED = 'design:paramtypes';
