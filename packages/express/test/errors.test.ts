import type { ErrorRequestHandler } from 'express';
import { call, send } from '../../http/test/support/wire.js';
import { echoEndpoint } from './support/echo.js';
import { closeApps, serveApp, versions } from './support/served-app.js';

afterEach(closeApps);
afterEach(() => jest.restoreAllMocks());

class NotSignedIn extends Error {
  readonly status = 401;
}

const failures: [string, () => Promise<never>][] = [
  [
    'throws',
    () => {
      throw new NotSignedIn('secret-canary');
    },
  ],
  ['rejects', () => Promise.reject(new NotSignedIn('secret-canary'))],
];

describe.each(versions)('in %s', (_name, express) => {
  test.each(failures)(
    'the error of a "principal" that %s goes to the error handlers',
    async (_how, principal) => {
      const seen: unknown[] = [];
      const app = express();
      app.use('/mcp', await echoEndpoint({ principal }));
      app.use(((error, _req, _res, next) => {
        seen.push(error);
        next(error);
      }) as ErrorRequestHandler);
      app.use(
        ((error, _req, res, _next) => void res.status(error.status).send('Sign in')) as ErrorRequestHandler,
      );
      const answer = await send(await serveApp(app), { ...call('whoami'), path: '/mcp' });
      expect([answer.status, answer.text]).toEqual([401, 'Sign in']);
      expect(seen).toEqual([expect.any(NotSignedIn)]);
    },
  );

  test('without an error handler Express answers, in production without the reason', async () => {
    const app = express().set('env', 'production');
    const logged = new Promise((resolve) => jest.spyOn(console, 'error').mockImplementation(resolve));
    app.use('/mcp', await echoEndpoint({ principal: failures[0]![1] }));
    const answer = await send(await serveApp(app), { ...call('whoami'), path: '/mcp' });
    expect([answer.status, answer.text.includes('Unauthorized')]).toEqual([401, true]);
    expect(answer.text).not.toContain('secret-canary');
    expect(String(await logged)).toContain('secret-canary');
  });

  test('our refusals are answers, not errors', async () => {
    const app = express();
    app.use('/mcp', await echoEndpoint());
    app.use(((_error, _req, res, _next) => void res.status(418).end()) as ErrorRequestHandler);
    const url = await serveApp(app);
    const foreign = await send(url, { path: '/mcp', headers: { host: 'evil.example' } });
    const unparsed = await send(url, { path: '/mcp', body: '{' });
    expect([foreign.status, unparsed.status]).toEqual([403, 400]);
  });
});
