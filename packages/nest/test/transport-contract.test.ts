import { describeTransport } from '@toolwright/testing';
import { connectOverHttp } from '../../http/test/support/transport-client.js';
import { platforms, serveEndpoint } from './support/apps.js';

const principal = { subject: 'ada', scopes: [] };

for (const platform of platforms) {
  describeTransport(`the endpoint of Nest on ${platform.name}`, async (server) => {
    const { app, url } = await serveEndpoint(platform, { server, options: { principal: () => principal } });
    return {
      peer: { principal, ip: '127.0.0.1', transport: 'http' },
      // The parser of Nest runs first, and answers what is not JSON.
      takesObjects: true,
      connect: (receive) => connectOverHttp(`${url}/mcp`, receive),
      async close() {
        await server.drain();
        await app.close();
      },
    };
  });
}
