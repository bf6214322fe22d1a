import type { McpServer } from '@toolwright/core';
import { Inbox } from './inbox.js';

const peer = { principal: undefined, ip: undefined, transport: 'memory' as const };
export const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A request of 2026-07-28 in the form in which it is sent. */
export const stateless = (id: unknown, method: string, params: object = {}, meta: object = {}) => ({
  ...{ jsonrpc: '2.0', id, method },
  params: { ...params, _meta: { ..._meta, ...meta } },
});

/** A new connection without any messages. */
export function openConnection(server: McpServer) {
  const inbox = new Inbox();
  const connection = server.protocol.connect(peer, (text) => inbox.put(text));
  return { inbox, connection, last: () => inbox.messages.at(-1) };
}
