import { UI_EXTENSION } from '@toolwright/ground/base/app-settings';
import { TASKS_EXTENSION } from '@toolwright/ground/base/errors/errors';
import { listCapabilities, operationKinds } from '@toolwright/ground/base/operation-kinds';
import type { Era, Principal } from '@toolwright/ground/base/request-context';
import type { Registry } from '@toolwright/ground/call/operation/registry';
import { after } from '@toolwright/json';
import type { JsonObject } from '@toolwright/wire/json-rpc';
import type { Capability } from '@toolwright/wire/methods';
import type { Features } from '@toolwright/wire/revision-record';
import type { Engine, Method, MethodHandler, TaskCalls } from './active-request.js';
import type { ProtocolHost } from './engine.js';

const factsByCapability = new Map(
  listCapabilities.map((capability) => [
    capability,
    Object.values(operationKinds).filter((facts) => facts.capability === capability),
  ]),
);

/**
 * True when the server offers what the capability names. Tools are always offered, because they may be added
 * at run time.
 */
export function isOffered(capability: Capability, registry: Registry): boolean {
  switch (capability) {
    case 'logging':
      return true;
    case 'completions':
      return [...registry.prompts.list(), ...registry.resourceTemplates.list()].some(
        ({ complete }) => Object.keys(complete).length > 0,
      );
    default:
      return (
        factsByCapability
          .get(capability)!
          .some(
            ({ isAlwaysOffered, collection }) => isAlwaysOffered || registry[collection].list().length > 0,
          ) ||
        (capability === 'resources' && registry.tools.everything().some(({ links }) => links))
      );
  }
}

/**
 * The capabilities object of `server/discover` and `initialize`: exactly what `isOffered` lets through, and what packages
 * add.
 *
 * @param sendsChanges a stream can tell this client of changes
 */
export function capabilitiesOf(
  { registry, additions }: Pick<ProtocolHost, 'registry' | 'additions'>,
  { features, sendsChanges }: { features: Features; sendsChanges: boolean },
): JsonObject {
  const when = (capability: Capability, settings: JsonObject) =>
    isOffered(capability, registry) ? { [capability]: settings } : {};
  const lists = listCapabilities
    .filter((capability) => isOffered(capability, registry))
    .map((capability) => [
      capability,
      sendsChanges ? { listChanged: true, ...(capability === 'resources' && { subscribe: true }) } : {},
    ]);
  return {
    ...Object.fromEntries(lists),
    ...(features.completionsCapability ? when('completions', {}) : {}),
    ...when('logging', {}),
    ...additions.offered().capabilities,
  };
}

/**
 * The extensions that the server supports. The tasks of older revisions are something else. MCP Apps work on
 * every revision that has `_meta` on tools: present hosts declare them in `initialize` and look for them
 * there.
 */
export function extensionsOf(
  { registry: { tools, resources }, additions }: Pick<ProtocolHost, 'registry' | 'additions'>,
  { features, hasTasks }: { features: Features; hasTasks: boolean },
): { extensions?: JsonObject } {
  const hasApps = features.titles && [...tools.everything(), ...resources.list()].some(({ ui }) => ui);
  const extensions = {
    ...(features.tasks && hasTasks && { [TASKS_EXTENSION]: {} }),
    ...(hasApps && { [UI_EXTENSION]: {} }),
    ...additions.offered().extensions,
  };
  return Object.keys(extensions).length > 0 ? { extensions } : {};
}

/** What the server is and can do (2026-07-28 server/discover). Names only revisions that the envelope can ask for. */
export const serverDiscover: MethodHandler = {
  handle({ engine: { host, settings, revisions, tasks }, codec }) {
    const { features } = codec;
    const body = {
      supportedVersions: revisions.stateless,
      capabilities: {
        ...capabilitiesOf(host, { features, sendsChanges: settings.sendsChanges }),
        ...extensionsOf(host, { features, hasTasks: tasks.areOffered }),
      },
      instructions: host.instructions,
    };
    return codec.result(body, { ttlMs: settings.lists.ttl, cacheScope: 'public' });
  },
};

/**
 * The capability `tasks` of 2025-11-25. Anonymous callers are one owner to the server, so they get no list: it
 * would show everybody the ids of all.
 */
export function requestedTasksOf(
  { areOffered, areListed }: TaskCalls,
  { requestedTasks }: Features,
  principal: Principal | undefined,
): { tasks?: JsonObject } {
  if (!requestedTasks || !areOffered) return {};
  const list = principal && areListed ? { list: {} } : {};
  return { tasks: { ...list, cancel: {}, requests: { tools: { call: {} } } } };
}

/** A method that a package answers, if the server offers it. */
export function addedMethod({ host }: Engine, name: string, era: Era): Method | undefined {
  const added = host.additions.method(name, era);
  return (
    added && {
      name,
      parameters: {},
      handle: (request) =>
        after(
          () => added.handle(request.params, request),
          (result) => request.codec.result({ ...result }),
        ),
    }
  );
}
