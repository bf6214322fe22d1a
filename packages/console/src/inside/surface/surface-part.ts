import type { McpServer } from '@toolwright/core';
import { isFor, tokensOf } from '@toolwright/json';
import { ConsoleRefusal } from '../../api/console-api.js';
import type {
  HiddenOperation,
  Identity,
  Operation,
  SeenTool,
  Sight,
  Surface,
} from '../../api/surface-api.js';
import type { Part, PartHost } from '../part.js';
import { askUnseen, principalOf } from '../unseen-client.js';
import { describeOperation, keyOf, operationsOf, scopesFor } from './describe-operation.js';

/** Answers what a caller sees of a server. */
export function surfacePart(host: PartHost): Part<'surface' | 'whoSees'> {
  return {
    surface: ({ server, as }) => surfaceOf(host.server(server), as),
    whoSees: ({ server, callers }) => whoSees(host.server(server), callers),
  };
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
    const caller = as && principalOf(as);
    const operations: Operation[] = [
      ...tools.map((listed) => describeOperation(server, 'tool', listed.name, listed, caller)),
      ...prompts.map((listed) => describeOperation(server, 'prompt', listed.name, listed, caller)),
      ...resources.map((listed) => describeOperation(server, 'resource', listed.uri, listed, caller)),
      ...templates.map((listed) =>
        describeOperation(server, 'resourceTemplate', String(listed['uriTemplate']), listed, caller),
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
    const isMeant = isFor(operation, as && principalOf(as));
    if (isMeant && seen.has(`${kind} ${key}`)) return [];
    const missingScopes = scopesFor(operation).filter((scope) => !as?.scopes.includes(scope));
    const reason =
      missingScopes.length > 0
        ? `The caller does not have the scope ${missingScopes.join(' or ')}.`
        : isMeant
          ? 'The option "authorize" of the server says no.'
          : 'The option "for" of the operation says no.';
    return [{ kind, key, name, reason, missingScopes }];
  });
}

/** Every scope that some operation asks for. */
export function scopesOf(server: McpServer): string[] {
  return [...new Set(operationsOf(server, true).flatMap(scopesFor))].sort();
}

/** Each caller costs a connection and a list. */
const MOST_CALLERS = 20;

async function whoSees(server: McpServer, callers: readonly (Identity | null)[]): Promise<SeenTool[]> {
  if (callers.length > MOST_CALLERS)
    throw new ConsoleRefusal(`At most ${MOST_CALLERS} callers are compared.`);
  const lists: ReadonlySet<unknown>[] = [];
  for (const caller of callers)
    lists.push(
      await askUnseen(server, caller ?? undefined, async (client) => {
        const tools = 'tools' in client.server.capabilities ? await client.tools() : [];
        return new Set(tools.map(({ name }) => name));
      }),
    );
  return server.tools.list().map((tool) => {
    const scopes = scopesFor(tool);
    const hasRules = server.explain(tool.name)?.steps.some(({ name }) => name === 'authorize') ?? false;
    const sights = callers.map((caller, index): Sight => {
      const missingScopes = scopes.filter((scope) => !caller?.scopes.includes(scope));
      const isListed = lists[index]!.has(tool.name) && isFor(tool, caller ? principalOf(caller) : undefined);
      if (isListed && missingScopes.length === 0) return { state: 'open', missingScopes };
      const guard = missingScopes.length > 0 ? 'scopes' : hasRules ? 'authorize' : undefined;
      return { state: isListed ? 'locked' : 'hidden', ...(guard && { guard }), missingScopes };
    });
    return { key: tool.name, scopes, sights };
  });
}
