import type { ManifestClass, Revival } from '@toolwright/manifest';
import type { AnyClass } from '../metadata/store.js';
import type { Constructor, DtoClass, TypeTable } from '../pipeline/target.js';
import { findClass } from './find-class.js';
import type { ClassEntry, LoadedManifest } from './loaded-manifest.js';

/**
 * Imports the DTO classes that the revivals of a service refer to, so that a call finds them without waiting. Their
 * modules are loaded already wherever the service imports them as values.
 *
 * @throws what importing a module throws
 */
export async function loadTypes({ manifest, entries }: ClassEntry): Promise<TypeTable> {
  const keys = new Set<string>();
  for (const { revive } of entries) {
    for (const each of [...Object.values(revive.input ?? {}), revive.output])
      if (each) collect(each, manifest, keys);
  }
  const dtos = new Map<string, DtoClass>();
  for (const key of keys) {
    const definition = manifest.manifest.classes[key];
    const found = await findClass(manifest, key);
    if (definition && found) dtos.set(key, dtoClass(found, definition));
  }
  return {
    revival: (name) => manifest.manifest.revivals?.[name],
    dto: (key) => dtos.get(key),
  };
}

function dtoClass(target: AnyClass, { validation = 'full', mergeRuntime = false }: ManifestClass): DtoClass {
  // What the source could not tell is only known to class-validator itself.
  return { constructor: target as unknown as Constructor, validation: mergeRuntime ? 'full' : validation };
}

function collect(
  revival: Revival,
  manifest: LoadedManifest,
  keys: Set<string>,
  names = new Set<string>(),
): void {
  const each = (inner: Revival | null | undefined) => inner && collect(inner, manifest, keys, names);
  switch (revival.kind) {
    case 'array':
    case 'set':
      return void each(revival.items);
    case 'tuple':
      return [...revival.items, revival.rest].forEach(each);
    case 'map':
      return [revival.keys, revival.values].forEach(each);
    case 'object':
      if (revival.class !== undefined) keys.add(revival.class);
      return [...Object.values(revival.properties ?? {}), revival.additional].forEach(each);
    case 'union':
      return revival.options.forEach(({ revive }) => each(revive));
    case 'ref':
      if (names.has(revival.name)) return;
      names.add(revival.name);
      return void each(manifest.manifest.revivals?.[revival.name]);
    default:
  }
}
