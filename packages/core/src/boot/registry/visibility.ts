import { dependsOnCaller, isAllowed } from '../../policies/authorize/authorize.js';
import type { PipelineOptions } from '../../call/call-options.js';
import type { Visibility } from './server-registry.js';

/** Lists show exactly what a caller may call, because both use the same check. */
export function visibilityOf({ authorize }: PipelineOptions): Visibility {
  return {
    visible: (operation, principal) => isAllowed(operation, principal, authorize),
    dependsOnCaller: (operation) => dependsOnCaller(operation, authorize),
  };
}
