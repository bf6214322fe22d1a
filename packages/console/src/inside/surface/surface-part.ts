import { type McpServer, RequireScopes } from '@toolwright/core';
import type { HiddenOperation, Identity, Operation, Surface } from '../../api/surface-api.js';
import type { Part, PartHost } from '../part.js';
import { askUnseen } from '../unseen-client.js';
import { describeOperation, keyOf, operationsOf, tokensOf } from './describe-operation.js';

/** Answers what a caller sees of a server. */
export function surfacePart(host: PartHost): Part<'surface'> {
  return { surface: ({ server, as }) => surfaceOf(host.server(server), as) };
}

function surfaceOf(server: McpServer, as: Identity | undefined): Promise<Surface> {
  return askUnseen(server, as, async (client) => {
    const { capabilities } = client.server;
    const lists = await Promise.all([
      'tools' in capabilities ? client.tools() : [],
      'prompts' in capabilities ? client.prompts() : [],
      'resources' in capabilities ? client.resources() : [],
      'resources' in capabilities ? client.resourceTemplates() : [],
    ]);
    const [tools, prompts, resources, templates] = lists;
    const operations: Operation[] = [
      ...tools.map((listed) => describeOperation(server, 'tool', listed.name, listed)),
      ...prompts.map((listed) => describeOperation(server, 'prompt', listed.name, listed)),
      ...resources.map((listed) => describeOperation(server, 'resource', listed.uri, listed)),
      ...templates.map((listed) =>
        describeOperation(server, 'resourceTemplate', String(listed['uriTemplate']), listed),
      ),
    ];
    return {
      operations,
      hidden: findHidden(server, operations, as),
      tokens: tokensOf(lists),
      scopes: scopesOf(server),
    };
  });
}

/** The operations that are not listed for a caller, each with the reason. */
function findHidden(
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
  return RequireScopes.of(operation)?.options.scopes ?? [];
}
