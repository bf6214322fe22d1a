import type { ManifestClass, ManifestEntry, Revival } from '@toolwright/manifest';
import type { AnyClass } from '../../base/metadata/store.js';
import { isReachable } from './find-class.js';
import { emittedTypes } from './injected-parameters.js';
import type { ClassEntry } from '../manifest/loaded-manifest.js';
import { isNameless, possibleNames } from './running-outline.js';
import type { Service } from './service.js';

/**
 * Classes that no module exports, or whose modules became part of a bundle, but that are the type of a
 * parameter, by their keys in the manifest. The build emits them with the method (`emitDecoratorMetadata`).
 */
export function parameterClasses(
  { target, operations }: Service,
  match: ClassEntry,
): ReadonlyMap<string, AnyClass> {
  const found = new Map<string, AnyClass>();
  const { classes } = match.manifest.manifest;
  for (const method of operations) {
    const entry = match.entry(method);
    const hidden = entry ? keysByParameter(entry) : [];
    for (const { key, index } of hidden) {
      const definition = classes[key];
      if (!definition || isReachable(match.manifest, key)) continue;
      const type = emittedTypes({ target, method })?.[index];
      if (typeof type === 'function' && isNamed(type as AnyClass, definition))
        found.set(key, type as AnyClass);
    }
  }
  return found;
}

/** A minifier takes the name away. The place of the parameter is certain all the same. */
function isNamed(type: AnyClass, { name }: ManifestClass): boolean {
  return isNameless(type) || possibleNames(type).includes(name.split('.').at(-1)!);
}

function keysByParameter({ parameters, revive }: ManifestEntry): { key: string; index: number }[] {
  return parameters.flatMap(({ kind, name }, index) => {
    const key = classKey(revive.input?.[kind === 'input' ? '' : name]);
    return key === undefined ? [] : [{ key, index }];
  });
}

function classKey(revival: Revival | undefined): string | undefined {
  if (revival?.kind === 'object') return revival.class;
  if (revival?.kind !== 'union') return undefined;
  return revival.options.map(({ revive }) => classKey(revive)).find((key) => key !== undefined);
}
