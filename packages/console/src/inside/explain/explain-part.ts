import { connect } from '@toolwright/client';
import type { McpServer } from '@toolwright/core';
import { ConsoleFault } from '../../api/console-api.js';
import type { Explanation } from '../../api/explain-api.js';
import type { Part, PartHost } from '../part.js';
import { scopesOf } from '../surface/find-hidden.js';
import { findConstructs } from './find-constructs.js';
import { providers } from './provider-verdicts.js';

type Schema = Explanation['input'];

/** Says what a decorated method has become, and what client libraries make of its schema. */
export function explainPart(host: PartHost): Part<'explain'> {
  return { explain: ({ server, tool }) => explain(host.server(server), tool) };
}

async function explain(server: McpServer, tool: string): Promise<Explanation> {
  const explained = server.explain(tool);
  if (!explained) throw new ConsoleFault(`There is no tool "${tool}".`);
  const { name, description, contract, location, steps, policies, input, output } = explained;
  const published = await findListed(server, tool);
  return {
    name,
    ...(description !== undefined && { description }),
    contract,
    ...(location !== undefined && { location }),
    steps,
    policies,
    input: input as Schema,
    output: output as Schema | null,
    ...(published && { published }),
    providers,
    constructs: findConstructs((published?.['inputSchema'] ?? input) as Schema),
  };
}

/** The entry of the list, for a caller who has every scope. */
async function findListed(server: McpServer, tool: string): Promise<Schema | undefined> {
  const client = await connect(server, { principal: { subject: 'console', scopes: scopesOf(server) } });
  try {
    return (await client.tools()).find(({ name }) => name === tool);
  } finally {
    await client.close();
  }
}
