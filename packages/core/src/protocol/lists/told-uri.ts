import type { Registry } from '../../call/operation/registry.js';
import { partsOf } from '../../call/validation/hide-sensitive.js';
import { findResource } from './find-resource.js';

/**
 * A URI as traces and records tell it: as its template, where variables of it must not be repeated. One that is nothing here
 * may have been meant for such a template, and is told by its scheme alone on a server that has one.
 */
export function toldUri(uri: string, registry: Registry): string {
  const operation = findResource(registry, uri)?.operation;
  if (operation?.kind === 'resourceTemplate' && partsOf(operation)) return operation.uriTemplate;
  if (operation || !registry.resourceTemplates.list().some(partsOf)) return uri;
  return `${/^[a-z][a-z0-9+.-]*:/i.exec(uri)?.[0] ?? ''}…`;
}
