import type { Registry } from '../pipeline/registry.js';
import { partsOf } from '../pipeline/validation/hide-sensitive.js';
import { findResource } from './find-resource.js';

/** A URI as traces and records tell it: as its template, where variables of it must not be repeated. */
export function toldUri(uri: string, registry: Registry): string {
  const operation = findResource(registry, uri)?.operation;
  return operation?.kind === 'resourceTemplate' && partsOf(operation) ? operation.uriTemplate : uri;
}
