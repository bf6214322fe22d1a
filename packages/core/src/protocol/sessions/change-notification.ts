import { listCapabilities, type ListCapability } from '../../base/operation-kinds.js';

export type ListChange = `${ListCapability}ListChanged`;

/** The notification for a change. It is the same in all revisions. */
export const changeNotifications = Object.fromEntries(
  listCapabilities.map((capability) => [
    `${capability}ListChanged`,
    { method: `notifications/${capability}/list_changed`, capability },
  ]),
) as Readonly<Record<ListChange, { readonly method: string; readonly capability: ListCapability }>>;

export const listChanges = Object.keys(changeNotifications) as readonly ListChange[];

export const RESOURCE_UPDATED = 'notifications/resources/updated';

export function isListChange(type: string): type is ListChange {
  return Object.hasOwn(changeNotifications, type);
}
