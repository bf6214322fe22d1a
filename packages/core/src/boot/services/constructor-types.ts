import 'reflect-metadata';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ConfigurationError } from '@toolwright/ground/base/errors/configuration-error';
import { collectRecords, findRecord } from '@toolwright/ground/base/metadata/class-records';
import type { AnyClass } from '@toolwright/ground/base/metadata/store';
import type { ConstructorParameter, ImportedClass, ManifestClass } from '@toolwright/manifest';
import type { Container } from '../../container/container.js';
import {
  classOf,
  constructorDependencies,
  injectionOf,
  type ParameterType,
} from '../../container/constructor-dependencies.js';
import type { InjectionToken } from '../../container/provider.js';
import type { LoadedManifest } from '../manifest/loaded-manifest.js';
import type { ClassFinder, ClassKey } from '../classes/class-finder.js';
import { isBundled } from '../classes/find-class.js';
import { loadedModule } from '../classes/import-module.js';
import { possibleNames } from '../classes/running-class.js';

type ClassAndToken = AnyClass & InjectionToken;

/**
 * Reads from manifests what constructors need, for builds that emit no decorator metadata (esbuild, tsx,
 * standard decorators).
 */
export class ConstructorTypeLoader {
  /** This class fills the map, and the container reads it. */
  readonly types = new Map<AnyClass, readonly ParameterType[]>();
  private readonly prepared = new Set<InjectionToken>();

  constructor(
    private readonly finder: ClassFinder,
    private readonly container: () => Container,
  ) {}

  /**
   * Finds the constructor types of every class that the container has to build for a token. The container
   * cannot wait for modules, so this happens before it links the token.
   */
  async prepare(token: InjectionToken): Promise<void> {
    const waiting = [token];
    // The list grows while it is worked through.
    for (const each of waiting) {
      if (this.prepared.has(each)) continue;
      this.prepared.add(each);
      const { target, tokens } = this.container().wants(each);
      if (target) await this.load(target);
      const needed = target ? constructorDependencies(target, this.types, () => undefined) : [];
      waiting.push(...tokens, ...needed.map((dependency) => dependency.token));
    }
  }

  /** Adds the constructor of a class. Modules are imported only for types that the build did not emit. */
  async load(target: AnyClass, known?: ClassKey): Promise<void> {
    if (this.types.has(target)) return;
    const emitted = Reflect.getOwnMetadata('design:paramtypes', target) as readonly unknown[] | undefined;
    if (!known && !isIncomplete(target, emitted)) return;
    const found = known ?? (await this.finder.keyOf(target));
    const parameters = found && parametersOf(found, 'constructor');
    if (!parameters) return;
    this.types.set(target, await this.describe(target, emitted, { ...found, parameters }));
  }

  private async describe(
    target: AnyClass,
    emitted: readonly unknown[] | undefined,
    found: ClassKey & { parameters: readonly ConstructorParameter[] },
  ): Promise<ParameterType[]> {
    const { manifest, parameters } = found;
    const described = parameters.map(({ name, type, optional }): ParameterType => ({
      name,
      type,
      ...(optional && { optional }),
    }));
    for (const [index, parameter] of parameters.entries()) {
      if (classOf(emitted?.[index]) ?? injectionOf(target, index, parameter.name)) continue;
      const token = await this.find(manifest, parameter);
      if (typeof token === 'function') described[index]!.token = token;
      else if (isClass(parameter))
        described[index]!.lacks = isBundleLikely(target, found, parameter) ? 'class' : 'provider';
      else if (!parameter.imported) described[index]!.lacks = 'kind';
    }
    return described;
  }

  /** The classes that are the parameters of a method `complete`, by position. */
  async completeTypes(target: AnyClass): Promise<readonly (InjectionToken | undefined)[]> {
    const emitted = Reflect.getMetadata('design:paramtypes', target.prototype, 'complete') as
      unknown[] | undefined;
    if (emitted) return emitted.map(classOf);
    const found = await this.finder.keyOf(target);
    const parameters = (found && parametersOf(found, 'complete')) ?? [];
    return Promise.all(parameters.map((parameter) => this.find(found!.manifest, parameter)));
  }

  /** A type that cannot be imported is reported where something needs it, with its place. */
  async find(
    manifest: LoadedManifest,
    { class: key, imported }: Pick<ConstructorParameter, 'class' | 'imported'>,
  ): Promise<ClassAndToken | undefined> {
    try {
      if (key) {
        const here = this.finder.loaded(manifest, key) ?? this.providedAs(nameIn(key));
        return (here ?? (await this.finder.find(manifest, key))) as ClassAndToken | undefined;
      }
      return imported && this.findImported(manifest, imported);
    } catch (error) {
      if (error instanceof ConfigurationError) throw error;
      return undefined;
    }
  }

  /**
   * A class of another package. What the application has comes first: loading the package may give another
   * copy of it. `import type` does not load a package at all.
   */
  private findImported(
    { directory }: LoadedManifest,
    { specifier, export: name, typeOnly }: ImportedClass,
  ): ClassAndToken | undefined {
    const here = this.finder.exportedBy(specifier, name) ?? this.providedAs(name);
    if (here || directory === undefined) return here as ClassAndToken | undefined;
    const load = createRequire(join(directory, 'package.json'));
    const exported = typeOnly ? loadedModule(load.resolve(specifier)) : (load(specifier) as object);
    return (exported as Record<string, ClassAndToken> | undefined)?.[name];
  }

  /**
   * The only provided class with that name. It is looked up before anything is imported: a module that still
   * waits for `createMcpServer` can be neither required nor awaited.
   */
  private providedAs(name: string): AnyClass | undefined {
    const classes = [...this.container().tokens()].filter(
      (token) => typeof token === 'function' && token.name === name,
    );
    return classes.length === 1 ? (classes[0] as ClassAndToken) : undefined;
  }
}

/** Whether the manifest says that the type of a parameter is a class. `import type` says that none is wanted. */
export function isClass({ class: key, imported }: Pick<ConstructorParameter, 'class' | 'imported'>): boolean {
  return key !== undefined || (imported !== undefined && !imported.typeOnly);
}

/**
 * Whether a class cannot be found because of a bundle or a loader, and not because nothing provides it: modules cannot be
 * looked into, or have another name for the class that needs it.
 */
export function isBundleLikely(
  target: AnyClass,
  { manifest, key }: ClassKey,
  { class: wanted = key }: Pick<ConstructorParameter, 'class'>,
): boolean {
  if (manifest.directory === undefined || !possibleNames(target).includes(nameIn(key))) return true;
  return [key, wanted].some((each) => manifest.manifest.classes[each] && isBundled(manifest, each));
}

/** Whether the build left out the type of a constructor parameter, as far as the running class shows it. */
function isIncomplete(target: AnyClass, emitted: readonly unknown[] | undefined): boolean {
  // The manifest knows the names of the parameters.
  if (findRecord(collectRecords(target).records, 'injections')) return true;
  if (emitted) return emitted.some((type, index) => !classOf(type) && !injectionOf(target, index));
  // `length` is 0 for a constructor that is inherited.
  return target.length > 0 || Object.getPrototypeOf(target) !== Function.prototype;
}

/** `src/store.ts#Outer.Store` -> `Store` */
function nameIn(key: string): string {
  return key.slice(Math.max(key.lastIndexOf('#'), key.lastIndexOf('.')) + 1);
}

/** Reads an own property, because every object inherits another `constructor`. */
function parametersOf(
  { manifest, key }: ClassKey,
  of: 'constructor' | 'complete',
): ConstructorParameter[] | undefined {
  const definition: ManifestClass | undefined = manifest.manifest.classes[key];
  return definition && Object.hasOwn(definition, of) ? definition[of] : undefined;
}
