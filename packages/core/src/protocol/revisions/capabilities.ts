import { listCapabilities, operationKinds, type ListCapability } from '../../base/operation-kinds.js';
import { TASKS_EXTENSION } from '../../base/errors/specific-errors.js';
import { UI_EXTENSION } from '../../base/app-settings.js';
import type { Registry } from '../../call/operation/registry.js';
import type { Features } from './features.js';
import type { JsonObject } from '../messages/json-rpc.js';

export type Capability = ListCapability | 'completions' | 'logging';

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
      return factsByCapability
        .get(capability)!
        .some(({ isAlwaysOffered, collection }) => isAlwaysOffered || registry[collection].list().length > 0);
  }
}

/** The capabilities object of `server/discover` and `initialize`: exactly what `isOffered` lets through. */
export function capabilitiesOf(registry: Registry, features: Features): JsonObject {
  const when = (capability: Capability, settings: JsonObject) =>
    isOffered(capability, registry) ? { [capability]: settings } : {};
  const lists = listCapabilities
    .filter((capability) => isOffered(capability, registry))
    .map((capability) => [
      capability,
      { listChanged: true, ...(capability === 'resources' && { subscribe: true }) },
    ]);
  return {
    ...Object.fromEntries(lists),
    ...(features.completionsCapability ? when('completions', {}) : {}),
    ...when('logging', {}),
  };
}

/**
 * The extensions that the server supports. The tasks of older revisions are something else. MCP Apps work on
 * every revision that has `_meta` on tools: present hosts declare them in `initialize` and look for them
 * there.
 */
export function extensionsOf(
  { tools, resources }: Registry,
  { features, hasTasks }: { features: Features; hasTasks: boolean },
): { extensions?: JsonObject } {
  const hasApps = features.titles && [...tools.list(), ...resources.list()].some(({ ui }) => ui);
  const extensions = {
    ...(features.tasks && hasTasks && { [TASKS_EXTENSION]: {} }),
    ...(hasApps && { [UI_EXTENSION]: {} }),
  };
  return Object.keys(extensions).length > 0 ? { extensions } : {};
}
