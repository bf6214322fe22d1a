import type { ServerEvent } from '../../ports/event-bus.js';
import type { Capability } from '../revisions/capabilities.js';

/** The notification for a change. It is the same in all revisions. */
export const changeNotifications = {
  toolsListChanged: { method: 'notifications/tools/list_changed', capability: 'tools' },
  promptsListChanged: { method: 'notifications/prompts/list_changed', capability: 'prompts' },
  resourcesListChanged: { method: 'notifications/resources/list_changed', capability: 'resources' },
} as const satisfies Partial<Record<ServerEvent['type'], { method: string; capability: Capability }>>;

export type ListChange = keyof typeof changeNotifications;

export const listChanges = Object.keys(changeNotifications) as readonly ListChange[];

export const RESOURCE_UPDATED = 'notifications/resources/updated';

export function isListChange(type: string): type is ListChange {
  return Object.hasOwn(changeNotifications, type);
}
