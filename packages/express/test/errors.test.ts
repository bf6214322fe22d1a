import type { ErrorRequestHandler } from 'express';
import { call, send } from '../../http/test/support/wire.js';
import { echoEndpoint } from './support/echo.js';
import { closeApps, serveApp, versions } from './support/served-app.js';

afterEach(closeApps);
afterEach(() => jest.restoreAllMocks());

class NotSignedIn extends Error {
  readonly status = 401;
}

describe.each(versions)('in %s', (_name, express) => {
  test('without an error handler Express answers, in production without the reason', async () => {
    const app = express().set('env', 'production');
    const logged = new Promise((resolve) => jest.spyOn(console, 'error').mockImplementation(resolve));
    app.use(
      '/mcp',
      await echoEndpoint({ principal: () => Promise.reject(new NotSignedIn('secret-canary')) }),
    );
    const answer = await send(await serveApp(app), { ...call('whoami'), path: '/mcp' });
    expect([answer.status, answer.text.includes('Unauthorized')]).toEqual([401, true]);
    expect(answer.text).not.toContain('secret-canary');
    expect(String(await logged)).toContain('secret-canary');
  });

  test('what cannot be parsed is answered, and is no error', async () => {
    const app = express();
    app.use('/mcp', await echoEndpoint());
    app.use(((_error, _req, res, _next) => void res.status(418).end()) as ErrorRequestHandler);
    expect((await send(await serveApp(app), { path: '/mcp', body: '{' })).status).toBe(400);
  });
});
