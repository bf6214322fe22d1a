import 'reflect-metadata';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ConstructorParameter } from '@toolwright/manifest';
import type { ParameterType } from '../container/constructor-dependencies.js';
import type { InjectionToken } from '../container/token.js';
import type { AnyClass } from '../metadata/store.js';
import { findClass } from './find-class.js';
import type { LoadedManifest } from './loaded-manifest.js';

/**
 * Adds what the manifest knows of the constructor of a class, and of the classes that it names, for builds that emit
 * no decorator metadata (esbuild, tsx, standard decorators). Modules are imported only then.
 */
export async function loadConstructorTypes(
  target: AnyClass,
  { manifest, key }: { manifest: LoadedManifest; key: string },
  types: Map<AnyClass, readonly ParameterType[]>,
): Promise<void> {
  if (types.has(target)) return;
  const parameters = declaredConstructor(manifest, key);
  if (!parameters) return;
  const emitted = Reflect.hasMetadata('design:paramtypes', target);
  const described: ParameterType[] = parameters.map(({ name, type, optional }) => ({
    name,
    type,
    ...(optional && { optional }),
  }));
  types.set(target, described);
  if (emitted) return;
  for (const [index, parameter] of parameters.entries()) {
    const token = await findType(manifest, parameter);
    if (typeof token !== 'function') continue;
    described[index]!.token = token;
    if (parameter.class) await loadConstructorTypes(token, { manifest, key: parameter.class }, types);
  }
}

/** As an own property: every object inherits another `constructor`. */
function declaredConstructor({ manifest }: LoadedManifest, key: string): ConstructorParameter[] | undefined {
  const definition = manifest.classes[key];
  return definition && Object.hasOwn(definition, 'constructor') ? definition.constructor : undefined;
}

/** A type that cannot be imported is reported where something needs it, with its place. */
async function findType(
  manifest: LoadedManifest,
  { class: key, imported }: ConstructorParameter,
): Promise<(AnyClass & InjectionToken) | undefined> {
  try {
    if (key) return (await findClass(manifest, key)) as (AnyClass & InjectionToken) | undefined;
    if (!imported || manifest.directory === undefined) return undefined;
    const load = createRequire(join(manifest.directory, 'package.json'));
    return (load(imported.specifier) as Record<string, AnyClass & InjectionToken>)[imported.export];
  } catch {
    return undefined;
  }
}
