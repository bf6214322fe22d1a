import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import type { AnyClass } from '../../base/metadata/store.js';
import type { Manifests } from '../manifest/load-manifests.js';
import { discoverServices, listedServices } from './scan.js';
import type { KernelOptions } from '../options/server-options.js';

/**
 * The classes to serve: the listed and discovered ones. Without those, all classes of the manifests that the
 * options name.
 */
export async function findServices(
  { services, discover }: KernelOptions,
  manifests: Manifests,
  problems: ConfigurationProblem[],
): Promise<AnyClass[]> {
  if (!services && !discover) return listedServices(manifests.given, problems);
  const found = new Set<AnyClass>(services);
  for (const directory of [discover ?? []].flat()) {
    for (const service of await discoverServices(directory, problems)) found.add(service);
  }
  return [...found];
}
