import { dependsOnCaller, isAllowed, mayRead, type AccessRules } from '../../policies/authorize.js';
import type { Visibility } from './server-registry.js';

/** Lists show exactly what a caller may call, because both use the same checks. */
export function visibilityOf(rules: AccessRules): Visibility {
  return {
    visible: (operation, principal) => isAllowed(operation, principal, rules),
    mayRead: (...read) => mayRead(rules, ...read),
    dependsOnCaller: (operation) => dependsOnCaller(operation, rules),
  };
}
