import { TASKS_EXTENSION } from '../../base/errors/task-client-required.js';
import { UI_EXTENSION } from '../../base/app/app-settings.js';
import type { Registry } from '../../call/operation/registry.js';
import type { Features } from './features.js';
import type { JsonObject } from '../messages/json-rpc.js';

export type Capability = 'tools' | 'prompts' | 'resources' | 'completions' | 'logging';

/**
 * True when the server offers what the capability names. Tools are always offered, because they may be added
 * at run time.
 */
export function isOffered(capability: Capability, registry: Registry): boolean {
  switch (capability) {
    case 'tools':
    case 'logging':
      return true;
    case 'prompts':
      return registry.prompts.list().length > 0;
    case 'resources':
      return registry.resources.list().length > 0 || registry.resourceTemplates.list().length > 0;
    case 'completions':
      return [...registry.prompts.list(), ...registry.resourceTemplates.list()].some(
        ({ complete }) => Object.keys(complete).length > 0,
      );
  }
}

/** The capabilities object of `server/discover` and `initialize`: exactly what `isOffered` lets through. */
export function capabilitiesOf(registry: Registry, features: Features): JsonObject {
  const when = (capability: Capability, settings: JsonObject) =>
    isOffered(capability, registry) ? { [capability]: settings } : {};
  return {
    ...when('tools', { listChanged: true }),
    ...when('prompts', { listChanged: true }),
    ...when('resources', { listChanged: true, subscribe: true }),
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
