import type { ServerOptions } from '@toolwright/core';
import { Feature } from './feature.js';
import type { FeatureSwitches } from './feature-switches.js';
import { hasPermission, Permission } from './permission.js';

/**
 * Decides who is shown what, and who may call it: one predicate does both, so that neither can be forgotten. It is asked
 * for each tool of each list, and reads nothing but memory.
 */
export function isOffered(switches: FeatureSwitches): NonNullable<ServerOptions['authorize']> {
  return (principal, operation) => {
    const feature = Feature.of(operation)?.options;
    if (feature !== undefined && !switches.isOn(feature)) return false;
    const permission = Permission.of(operation)?.options;
    return permission === undefined || hasPermission(principal, permission);
  };
}
