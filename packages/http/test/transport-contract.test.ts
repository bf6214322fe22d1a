import { describeTransport } from '@toolwright/testing';
import { serveHttp } from '../src/index.js';
import { connectOverHttp } from './support/transport-client.js';

const principal = { subject: 'ada', scopes: [] };

describeTransport('serveHttp', async (server) => {
  const service = await serveHttp(server, { port: 0, signals: false, principal: () => principal });
  return {
    peer: { principal, ip: '127.0.0.1', transport: 'http' },
    connect: (receive) => connectOverHttp(service.url, receive),
    close: () => service.close(),
  };
});
