import { describeOfficialClients } from '../../http/test/support/describe-clients.js';
import { createFixture, type Fixture } from '../../http/test/support/fixture.js';
import { closeApps, platforms, serveEndpoint } from './support/apps.js';

afterAll(closeApps);

describe.each(platforms)('on $name', (platform) => {
  let served: { fixture: Fixture; url: URL };
  beforeAll(async () => {
    const fixture = await createFixture();
    const { url } = await serveEndpoint(platform, { server: fixture.server, options: {} }, (app) =>
      app.setGlobalPrefix('api'),
    );
    served = { fixture, url: new URL('/api/mcp', url) };
  });

  describeOfficialClients(() => served);
});
