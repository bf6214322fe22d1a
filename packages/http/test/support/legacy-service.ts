import { serveHttp, type HttpService } from '../../src/index.js';
import { createFixture, type Fixture } from './fixture.js';
import { LegacyClient } from './legacy-client.js';

/** The fixture, served to the tests of a file; the header x-user says who calls. */
export function useLegacyService() {
  const served = {} as { fixture: Fixture; url: string };
  let service: HttpService;
  beforeAll(async () => {
    served.fixture = await createFixture();
    service = await serveHttp(served.fixture.server, {
      port: 0,
      signals: false,
      principal: (req) =>
        req.headers['x-user'] ? { subject: String(req.headers['x-user']), scopes: [] } : undefined,
    });
    served.url = service.url;
  });
  afterAll(() => service.close());
  const connect = (revision = '2025-11-25', options: Parameters<typeof LegacyClient.connect>[2] = {}) =>
    LegacyClient.connect(served.url, revision, options);
  return { served, connect };
}
