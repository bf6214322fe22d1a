import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  ConfigurationError,
  type ConfigurationProblem,
} from '@toolwright/ground/base/errors/configuration-error';
import { type AnyClass, ownRecords } from '@toolwright/ground/base/metadata/store';
import { kindNames } from '@toolwright/ground/base/operation-kinds';
import { reasonOf } from '@toolwright/json';
import { findClass } from '../classes/find-class.js';
import { importModule } from '../classes/import-module.js';
import type { Manifests } from '../manifest/load-manifests.js';
import type { LoadedManifest } from '../manifest/loaded-manifest.js';
import type { KernelOptions } from '../options/server-options.js';
import { classOf } from '../options/find-option-problems.js';

/**
 * The classes to serve: the listed and discovered classes, and those of given objects. Without these options, all
 * classes of the manifests that the options name.
 */
export async function findServices(
  { services, instances, discover }: KernelOptions,
  manifests: Manifests,
  problems: ConfigurationProblem[],
): Promise<AnyClass[]> {
  if (!services && !instances && !discover) return listedServices(manifests.named, problems);
  const found = new Set<AnyClass>([...(services ?? []), ...(instances ?? []).map(classOf)]);
  for (const directory of [discover ?? []].flat()) {
    for (const service of await discoverServices(directory, problems)) found.add(service);
  }
  return [...found];
}

/** Compiled modules, and sources if a loader for them is active, without declarations and tests. */
const moduleFile = /(?<!\.d)(?<!\.(?:test|spec))\.[cm]?[jt]s$/;

/**
 * Imports every module in a directory and returns the exported services: classes with their own
 * `@McpService`, with an operation decorator on the class, or with a method that a package runs. A
 * decorator on a base class does not count.
 */
async function discoverServices(directory: string, problems: ConfigurationProblem[]): Promise<AnyClass[]> {
  const services = new Set<AnyClass>();
  for (const path of moduleFiles(resolve(directory), problems)) {
    try {
      const exported = Object.values(await importModule(path));
      for (const value of exported) if (isService(value)) services.add(value);
    } catch (error) {
      problems.push(...notImported(path, error));
    }
  }
  return [...services];
}

/** The classes that the manifests list, imported from the modules that the manifests name. */
async function listedServices(
  manifests: readonly LoadedManifest[],
  problems: ConfigurationProblem[],
): Promise<AnyClass[]> {
  const services: AnyClass[] = [];
  for (const manifest of manifests) {
    for (const key of manifest.classes.keys()) {
      const found = await findClass(manifest, key).catch(
        (error: unknown) => void problems.push(...notImported(key, error)),
      );
      if (found) services.push(found);
    }
  }
  return services;
}

function moduleFiles(directory: string, problems: ConfigurationProblem[]): string[] {
  try {
    const files = readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && moduleFile.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.includes('node_modules'));
    // The order of a directory differs between file systems, but the order of tools must not.
    return files.sort();
  } catch (error) {
    problems.push({
      code: 'TW_DISCOVER_FAILED',
      message: `discover: ${directory} cannot be read: ${(error as Error).message}`,
      fix: 'Name a directory of compiled modules, relative to the working directory, and build first.',
    });
    return [];
  }
}

function isService(value: unknown): value is AnyClass {
  return (
    typeof value === 'function' &&
    ownRecords(value as AnyClass).some(
      ({ place, kind }) => kind === 'background' || (place.on === 'class' && serviceKinds.has(kind)),
    )
  );
}

const serviceKinds = new Set<string>(['service', ...kindNames]);

function notImported(what: string, error: unknown): readonly ConfigurationProblem[] {
  if (error instanceof ConfigurationError) return error.problems;
  return [
    {
      code: 'TW_DISCOVER_FAILED',
      message: `${what} cannot be imported: ${reasonOf(error)}`,
      fix: 'Correct the module, or list the services instead of discovering them.',
    },
  ];
}
