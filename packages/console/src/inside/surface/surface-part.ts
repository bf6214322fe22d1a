import type { McpServer } from '@toolwright/core';
import type { Identity, Operation, Surface } from '../../api/surface-api.js';
import type { Part, PartHost } from '../part.js';
import { tokensOf } from '../tokens.js';
import { askUnseen } from '../unseen-client.js';
import { describeOperation } from './describe-operation.js';
import { findHidden, scopesOf } from './find-hidden.js';

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
