import type { McpServer } from '@toolwright/core';
import { loadCore } from '../load-core.js';

type Guarded = Parameters<ReturnType<typeof loadCore>['RequireScopes']['of']>[0];

/** The scopes that a call of the operation needs. */
export function scopesOf(operation: Guarded): string[] {
  return [...(loadCore().RequireScopes.of(operation)?.options.scopes ?? [])];
}

/** A caller sees only what its scopes allow. This caller has all scopes. */
export function everyScope({ tools, prompts, resources, resourceTemplates }: McpServer) {
  const operations = [tools, prompts, resources, resourceTemplates].flatMap((each) => [
    ...each.list({ unlisted: true }),
  ]);
  return { subject: 'toolwright', scopes: operations.flatMap(scopesOf) };
}
