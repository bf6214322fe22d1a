import { describeTransport } from '@toolwright/testing';
import { mcpFetch } from '../src/index.js';
import { connectOverHttp } from './support/transport-client.js';

const principal = { subject: 'ada', scopes: [] };

describeTransport('mcpFetch', (server) => {
  const handler = mcpFetch(server, { principal: () => principal, clientAddress: () => '127.0.0.1' });
  let closing: Promise<boolean> | undefined;
  return {
    peer: { principal, ip: '127.0.0.1', transport: 'http' },
    connect: (receive) => connectOverHttp('http://localhost/mcp', receive, handler),
    close: () => (closing ??= server.drain()),
  };
});
