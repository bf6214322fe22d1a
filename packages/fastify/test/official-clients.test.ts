import { describeOfficialClients } from '../../http/test/support/describe-clients.js';
import { createFixture, type Fixture } from '../../http/test/support/fixture.js';
import { mcpFastify } from '../src/index.js';
import { closeApps, createApp, serveApp } from './support/apps.js';

let served: { fixture: Fixture; url: URL };
beforeAll(async () => {
  const fixture = await createFixture();
  // To Node, a connection that a client has opened in advance is not idle. Fastify would wait for it.
  const app = createApp({ forceCloseConnections: true });
  app.register(mcpFastify, { server: fixture.server, prefix: '/api' });
  served = { fixture, url: new URL('/api/mcp', await serveApp(app)) };
});
afterAll(closeApps);

describeOfficialClients(() => served);
