import { type McpClient, RpcError, connect } from '@toolwright/client';
import type { ClientDescription, McpServer, Principal } from '@toolwright/core';
import { present } from '@toolwright/json';
import { ConsoleRefusal } from '../api/console-api.js';
import type { Identity } from '../api/surface-api.js';

const UNSEEN = { name: 'toolwright-console-lists', version: '1.0.0' };

/** A client for what the console asks on its own. Its messages are not recorded: the person did not send them. */
export function connectUnseen(server: McpServer, as?: Identity): Promise<McpClient> {
  return connect(server, { clientInfo: UNSEEN, ...(as && { principal: principalOf(as) }) });
}

/**
 * Asks a server something as that client.
 *
 * @throws {ConsoleRefusal} with the server's own words when it refuses, as a server does that is about to end
 */
export async function askUnseen<T>(
  server: McpServer,
  as: Identity | undefined,
  ask: (client: McpClient) => Promise<T>,
): Promise<T> {
  let client: McpClient | undefined;
  try {
    client = await connectUnseen(server, as);
    return await ask(client);
  } catch (error) {
    throw error instanceof RpcError ? new ConsoleRefusal(error.message) : error;
  } finally {
    await client?.close();
  }
}

export function isUnseen(client: ClientDescription['info']): boolean {
  return client?.name === UNSEEN.name;
}

/** The principal that the console plays. */
export function principalOf({ subject, issuer, clientId, tenant, scopes, claims }: Identity): Principal {
  return present({ subject, scopes, issuer, clientId, tenant, claims });
}
