import type { Registry } from '../../call/operation/registry.js';
import { partsOf } from '../../call/hide-sensitive.js';
import { findResource } from './find-resource.js';

/**
 * A URI as traces and records show it. If some of its variables must not be repeated, its template is shown
 * instead. A URI that is unknown here may have been meant for such a template; on a server that has one, only
 * its scheme is shown.
 */
export function toldUri(uri: string, registry: Registry): string {
  const operation = findResource(registry, uri)?.operation;
  if (operation?.kind === 'resourceTemplate' && partsOf(operation)) return operation.uriTemplate;
  if (operation || !registry.resourceTemplates.list().some(partsOf)) return uri;
  return schemeOf(uri);
}

/** A URI of which only the scheme is shown. */
export function schemeOf(uri: string): string {
  return `${/^[a-z][a-z0-9+.-]*:/i.exec(uri)?.[0] ?? ''}…`;
}
