import { RequireScopes, type McpServer } from '@toolwright/core';
import type { HiddenOperation, Identity, Operation } from '../../api/surface-api.js';
import { keyOf, operationsOf } from './bound-operations.js';

/** The operations that are not listed for a caller, each with the reason. */
export function findHidden(
  server: McpServer,
  listed: readonly Operation[],
  as: Identity | undefined,
): HiddenOperation[] {
  const seen = new Set(listed.map(({ kind, key }) => `${kind} ${key}`));
  return operationsOf(server).flatMap((operation) => {
    const { kind, name } = operation;
    const key = keyOf(operation);
    if (seen.has(`${kind} ${key}`)) return [];
    const missingScopes = scopesFor(operation).filter((scope) => !as?.scopes.includes(scope));
    const reason =
      missingScopes.length > 0
        ? `The caller does not have the scope ${missingScopes.join(' or ')}.`
        : 'The option "authorize" of the server says no.';
    return [{ kind, key, name, reason, missingScopes }];
  });
}

/** Every scope that some operation asks for. */
export function scopesOf(server: McpServer): string[] {
  return [...new Set(operationsOf(server).flatMap(scopesFor))].sort();
}

function scopesFor(operation: Parameters<typeof RequireScopes.of>[0]): readonly string[] {
  return RequireScopes.of(operation)?.options ?? [];
}
