import 'reflect-metadata';
import type { ManifestEntry } from '@toolwright/manifest';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import type { AnyClass } from '../../base/metadata/store.js';
import { BUILD } from '../manifest/build-hint.js';
import type { ClassEntry } from '../manifest/loaded-manifest.js';
import { problemAt } from '../../base/metadata/site-problem.js';
import type { DecoratedMethod, Service } from '../services/service.js';

/**
 * Reports a manifest that was compiled from another version of the class than the one that is running: other decorated
 * methods, or other parameters. Compares what the hash in `ManifestEntry.shape` is made of, which takes less than
 * hashing it again, and can say what differs.
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

/** How many parameters a method declares, as far as the running class tells. */
function arityOf(target: AnyClass, { method, static: isStatic }: DecoratedMethod, expected: number): number {
  const holder = (isStatic ? target : target.prototype) as Record<string, { length: number } | undefined>;
  // On the class itself first: most methods are, and looking along the prototype chain takes twice as long.
  const emitted = (Reflect.getOwnMetadata(EMITTED, holder, method) ??
    Reflect.getMetadata(EMITTED, holder, method)) as readonly unknown[] | undefined;
  const required = holder[method]?.length ?? 0;
  // `length` stops at the first default, and is 0 for methods that another decorator wrapped: it only refutes.
  return emitted?.length ?? Math.max(required, expected);
}

const EMITTED = 'design:paramtypes';
