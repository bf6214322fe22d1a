import 'reflect-metadata';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ConstructorParameter, ImportedClass } from '@toolwright/manifest';
import type { ParameterType } from '../../container/constructor-dependencies.js';
import type { InjectionToken } from '../../container/token.js';
import { ConfigurationError } from '../../base/errors/configuration-error.js';
import type { AnyClass } from '../../base/metadata/store.js';
import { findClass, findLoadedClass } from './find-class.js';
import { loadedModule } from './import-module.js';
import type { LoadedManifest } from '../manifest/loaded-manifest.js';

type ClassAndToken = AnyClass & InjectionToken;

/**
 * Reads from manifests what constructors need, for builds that emit no decorator metadata (esbuild, tsx,
 * standard decorators).
 */
export class ConstructorTypeLoader {
  /** This class fills the map, and the container reads it. */
  readonly types = new Map<AnyClass, readonly ParameterType[]>();

  /** @param provided the tokens that the server's providers provide */
  constructor(private readonly provided: () => Iterable<InjectionToken>) {}

  /**
   * Adds the constructor of a class, and those of the classes that it names. Modules are imported only for
   * this.
   */
  async load(target: AnyClass, manifest: LoadedManifest, key: string): Promise<void> {
    if (this.types.has(target)) return;
    const parameters = declaredConstructor(manifest, key);
    if (!parameters) return;
    const described = parameters.map(({ name, type, optional }): ParameterType => ({
      name,
      type,
      ...(optional && { optional }),
    }));
    this.types.set(target, described);
    if (Reflect.hasMetadata('design:paramtypes', target)) return;
    for (const [index, parameter] of parameters.entries()) {
      const token = await this.find(manifest, parameter);
      if (typeof token !== 'function') continue;
      described[index]!.token = token;
      if (parameter.class) await this.load(token, manifest, parameter.class);
    }
  }

  /** A type that cannot be imported is reported where something needs it, with its place. */
  async find(
    manifest: LoadedManifest,
    { class: key, imported }: Pick<ConstructorParameter, 'class' | 'imported'>,
  ): Promise<ClassAndToken | undefined> {
    try {
      if (key) {
        const here = findLoadedClass(manifest, key) ?? this.providedAs(nameIn(key));
        return (here ?? (await findClass(manifest, key))) as ClassAndToken | undefined;
      }
      if (!imported || manifest.directory === undefined) return undefined;
      const load = createRequire(join(manifest.directory, 'package.json'));
      if (imported.typeOnly) return this.findUnloaded(imported, load);
      return (load(imported.specifier) as Record<string, ClassAndToken>)[imported.export];
    } catch (error) {
      if (error instanceof ConfigurationError) throw error;
      return undefined;
    }
  }

  /**
   * `import type` does not load a package. The class must then be one that other code has loaded, or that a
   * provider provides.
   */
  private findUnloaded(
    { specifier, export: name }: ImportedClass,
    { resolve }: NodeJS.Require,
  ): ClassAndToken | undefined {
    const provided = this.providedAs(name) as ClassAndToken | undefined;
    return provided ?? (loadedModule(resolve(specifier))?.[name] as ClassAndToken | undefined);
  }

  /**
   * The only provided class with that name. It is looked up before anything is imported: a module that still
   * waits for `createMcpServer` can be neither required nor awaited.
   */
  private providedAs(name: string): AnyClass | undefined {
    const classes = [...this.provided()].filter(
      (token) => typeof token === 'function' && token.name === name,
    );
    return classes.length === 1 ? (classes[0] as ClassAndToken) : undefined;
  }
}

/** `src/store.ts#Outer.Store` -> `Store` */
function nameIn(key: string): string {
  return key.slice(Math.max(key.lastIndexOf('#'), key.lastIndexOf('.')) + 1);
}

/** Reads an own property, because every object inherits another `constructor`. */
function declaredConstructor({ manifest }: LoadedManifest, key: string): ConstructorParameter[] | undefined {
  const definition = manifest.classes[key];
  return definition && Object.hasOwn(definition, 'constructor') ? definition.constructor : undefined;
}
