import { createFixture } from '../../http/test/support/fixture.js';
import { call, send } from '../../http/test/support/wire.js';
import { mcpExpress } from '../src/index.js';
import { callEcho, echoEndpoint } from './support/echo.js';
import { closeApps, serveApp, versions } from './support/served-app.js';

afterEach(closeApps);

describe.each(versions)('in %s', (_name, express) => {
  test('a body is read from the stream, or taken from an earlier parser', async () => {
    const endpoint = await echoEndpoint();
    const app = express();
    app.use('/unread', endpoint);
    app.use('/json', express.json(), endpoint);
    app.use('/text', express.text({ type: '*/*' }), endpoint);
    app.use('/bytes', express.raw({ type: '*/*' }), endpoint);
    app.use('/other', express.urlencoded({ extended: false }), endpoint);
    const url = await serveApp(app);
    for (const path of ['/unread', '/json', '/text', '/bytes', '/other'])
      expect(await callEcho(url, path)).toBe(path);
  });

  test('the limits and errors of a parser belong to the app, and go to its error handler', async () => {
    const reached: unknown[] = [];
    const { server } = await createFixture();
    const app = express();
    app.use(express.json({ limit: 100 }));
    app.use(
      '/mcp',
      mcpExpress(server, { authenticate: () => (reached.push('us'), { principal: undefined }) }),
    );
    app.use(
      ((error, _req, res, _next) =>
        void res.status(error.status).send(error.type)) as import('express').ErrorRequestHandler,
    );
    const url = await serveApp(app);
    const broken = await send(url, { path: '/mcp', body: '{' });
    const large = await send(url, { ...call('echo', { text: 'x'.repeat(200) }), path: '/mcp' });
    expect([broken.text, large.text, reached]).toEqual(['entity.parse.failed', 'entity.too.large', []]);
  });
});
