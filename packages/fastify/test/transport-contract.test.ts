import { describeTransport } from '@toolwright/testing';
import Fastify from 'fastify';
import { connectOverHttp } from '../../http/test/support/transport-client.js';
import { mcpFastify } from '../src/index.js';

const principal = { subject: 'ada', scopes: [] };

describeTransport('mcpFastify', async (server) => {
  // To Node, a connection that a client has opened in advance is not idle. Fastify would wait for it.
  const app = Fastify({ forceCloseConnections: true });
  app.register(mcpFastify, { server, principal: () => principal });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    peer: { principal, ip: '127.0.0.1', transport: 'http' },
    connect: (receive) => connectOverHttp(`${origin}/mcp`, receive),
    close: () => app.close(),
  };
});
