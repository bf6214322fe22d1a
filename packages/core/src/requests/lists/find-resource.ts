import type { Principal } from '@toolwright/ground/base/request-context';
import { partsOf } from '@toolwright/ground/call/hide-sensitive';
import type { BoundResource, BoundResourceTemplate } from '@toolwright/ground/call/operation/operation';
import type { Registry } from '@toolwright/ground/call/operation/registry';
import {
  canonicalUri,
  listsIn,
  oncePer,
  UriTemplate,
  type Variables,
  after,
  type MaybePromise,
} from '@toolwright/json';
import type { ActiveRequest } from '../active-request.js';

type FoundResource =
  | { operation: BoundResource; variables: Record<string, never> }
  | { operation: BoundResourceTemplate; variables: Variables };

type Match = (uri: string) => Variables | undefined;

/** The resource with this URI, or else the first template that matches it. */
export function findResource(
  registry: Registry,
  uri: string,
  principal: Principal | undefined,
): FoundResource['operation'] | undefined {
  return matchResource(registry, uri, principal)?.operation;
}

/** The values that a URI has for the variables of what was found for it. */
export function variablesIn(operation: FoundResource['operation'], uri: string): Variables {
  return operation.kind === 'resource' ? {} : compile(operation)(uri)!;
}

/** The URI of what was found: a resource has one spelling, in which rules, methods and subscriptions know it. */
export function ownUri(operation: FoundResource['operation'], uri: string): string {
  return operation.kind === 'resource' ? operation.uri : uri;
}

/** The URIs of the resources that have several spellings, by the one that these share; for each state of the list. */
const spellings = oncePer(
  (all: readonly BoundResource[]) => new Map(all.map((each) => [canonicalUri(each.uri), each.uri])),
);

/** The spelling in which a URI is served. */
function servedUri({ resources }: Registry, uri: string): string {
  if (resources.get(uri)) return uri;
  const canonical = canonicalUri(uri);
  // Nearly all URIs have one spelling.
  if (canonical === uri && !uri.includes('%')) return uri;
  return spellings(resources.everything()).get(canonical) ?? uri;
}

function matchResource(
  registry: Registry,
  uri: string,
  principal: Principal | undefined,
): FoundResource | undefined {
  const exact = registry.resources.getFor(servedUri(registry, uri), principal);
  if (exact) return { operation: exact, variables: {} };
  for (const template of registry.resourceTemplates.list()) {
    if (template.audience && !registry.visible(template, principal)) continue;
    const variables = compile(template)(uri);
    if (variables) return { operation: template, variables };
  }
  return undefined;
}

/** The same, if this caller may read it. A caller cannot tell what it may not read from what does not exist. */
export function findReadable(
  registry: Registry,
  uri: string,
  principal: Principal | undefined,
): FoundResource | undefined {
  const found = matchResource(registry, uri, principal);
  if (!found) return undefined;
  const { operation, variables } = found;
  return registry.mayRead(principal, operation, ownUri(operation, uri), variables) ? found : undefined;
}

/**
 * The same for a caller who wants to watch it.
 *
 * @throws {ProtocolError} of a package that refuses
 */
export function findWatchable(request: ActiveRequest, uri: string): MaybePromise<FoundResource | undefined> {
  const { engine, principal } = request;
  const { registry, additions } = engine.host;
  const found = findResource(registry, uri, principal);
  if (!found) return undefined;
  return after(
    () => additions.prepareUse(found, request, uri),
    () => findReadable(registry, uri, principal),
  );
}

/**
 * Everything that a read of this URI may find, whoever reads. What comes after a template for everybody is found by
 * nobody.
 */
export function findForAnybody(
  registry: Registry,
  uri: string,
): readonly (BoundResource | BoundResourceTemplate)[] {
  const { resources, resourceTemplates } = registry;
  const found: (BoundResource | BoundResourceTemplate)[] = [
    ...resources.candidates(servedUri(registry, uri)),
  ];
  for (const template of resourceTemplates.list()) {
    if (found.some(({ audience }) => !audience)) break;
    if (compile(template)(uri)) found.push(template);
  }
  return found;
}

/** Each template is compiled once, and kept as long as it is served. */
const compile = oncePer((template: BoundResourceTemplate): Match => {
  const matcher = new UriTemplate(template.uriTemplate);
  const lists = template.inputSchema && listsIn(template.inputSchema);
  return (uri) => matcher.match(uri, lists);
});

/**
 * A URI as traces and records show it. If some of its variables must not be repeated, its template is shown
 * instead. A URI that is unknown here may have been meant for such a template; on a server that has one, only
 * its scheme is shown.
 */
export function redactedUri(uri: string, registry: Registry): string {
  const found = findForAnybody(registry, uri);
  for (const operation of found)
    if (operation.kind === 'resourceTemplate' && partsOf(operation)) return operation.uriTemplate;
  if (found.length > 0 || !registry.resourceTemplates.list().some(partsOf)) return uri;
  return schemeOf(uri);
}

/** A URI of which only the scheme is shown. */
export function schemeOf(uri: string): string {
  return `${/^[a-z][a-z0-9+.-]*:/i.exec(uri)?.[0] ?? ''}…`;
}
