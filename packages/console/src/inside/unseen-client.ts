import { connect, type McpClient } from '@toolwright/client';
import type { ClientDescription, McpServer } from '@toolwright/core';
import type { Identity } from '../api/surface-api.js';
import { principalOf } from './principal.js';

const UNSEEN = { name: 'toolwright-console-lists', version: '1.0.0' };

/** A client for what the console asks on its own. Its messages are not recorded: the person did not send them. */
export function connectUnseen(server: McpServer, as?: Identity): Promise<McpClient> {
  return connect(server, { clientInfo: UNSEEN, ...(as && { principal: principalOf(as) }) });
}

export function isUnseen(client: ClientDescription['info']): boolean {
  return client?.name === UNSEEN.name;
}
