import type { ManifestEntry, Revival } from '@toolwright/manifest';
import type { AnyClass } from '../../base/metadata/store.js';
import { emittedTypes } from './injected-parameters.js';
import type { ClassEntry } from '../manifest/loaded-manifest.js';
import type { Service } from './service.js';

/**
 * Classes that no module exports but that are the type of a parameter, by their keys in the manifest. The
 * build emits them with the method (`emitDecoratorMetadata`).
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
      if (!definition || definition.module || definition.imported) continue;
      const type = emittedTypes({ target, method })?.[index];
      if (typeof type === 'function' && type.name === definition.name.split('.').at(-1))
        found.set(key, type as AnyClass);
    }
  }
  return found;
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
