import { closedAfterEach } from '../../../../.ci/test/support/closed-after-each.js';
import { serveHttp, type HttpService, type McpHttpOptions } from '../../src/index.js';
import { createFixture, type Fixture } from './fixture.js';

const start = ({ server }: Pick<Fixture, 'server'>, options: McpHttpOptions = {}) =>
  serveHttp(server, { port: 0, signals: false, ...options });

/** The fixture, served to all tests of a file. */
export function useFixture(options?: McpHttpOptions) {
  const served = {} as Fixture & { url: string };
  let service: HttpService;
  beforeAll(async () => {
    Object.assign(served, await createFixture());
    service = await start(served, options);
    served.url = service.url;
  });
  afterAll(() => service.close());
  return served;
}

/** Serves what a test has made until the test is over. */
export function servedUntilAfterEach() {
  const services = closedAfterEach<HttpService>();
  return async (own: Pick<Fixture, 'server'>, options?: McpHttpOptions): Promise<HttpService> => {
    const service = await start(own, options);
    services.push(service);
    return service;
  };
}
