import { describeMount } from '../../http/test/support/mount-contract.js';
import { mcpFastify } from '../src/index.js';
import { closeApps, createApp, serveApp } from './support/apps.js';

afterEach(closeApps);

describeMount('Fastify', ({ server, prefix, options, trustsProxy, caught }) => {
  const app = createApp(trustsProxy ? { trustProxy: 'loopback' } : {});
  app.setErrorHandler((error: Error, _request, reply) => {
    caught.push(error);
    return reply.code(418).send({ mine: error.message });
  });
  app.register(mcpFastify, { server, prefix, ...options });
  return serveApp(app);
});
