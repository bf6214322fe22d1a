import { send } from '../../http/test/support/wire.js';
import { callEcho, echoEndpoint } from './support/echo.js';
import { closeApps, serveApp, versions } from './support/served-app.js';

afterEach(closeApps);

describe.each(versions)('in %s', (name, express) => {
  const anyPath = name === 'Express 5' ? '/*path' : '*';

  test('app.use serves its path, also with a slash or a query, and leaves paths below it to the app', async () => {
    const app = express();
    app.use('/mcp', await echoEndpoint());
    app.get('/mcp/below', (_req, res) => void res.send('mine'));
    const url = await serveApp(app);
    for (const path of ['/mcp', '/mcp/', '/mcp?tenant=1']) expect(await callEcho(url, path)).toBe(path);
    expect((await send(url, { method: 'GET', path: '/mcp/below' })).text).toBe('mine');
    expect(await callEcho(url, '/mcp/else')).toBe(404);
  });

  test('a route may contain the whole path', async () => {
    const url = await serveApp(express().all('/mcp', await echoEndpoint()));
    expect(await callEcho(url, '/mcp')).toBe('/mcp');
    expect(await callEcho(url, '/mcp/below')).toBe(404);
  });

  test('so may a route of a router that is mounted below a path', async () => {
    const endpoint = await echoEndpoint();
    const router = express.Router();
    router.all('/mcp', endpoint);
    router.all('/of/:tenant/mcp', endpoint);
    router.all('/wrapped', (req, res, next) => endpoint(req, res, next));
    const url = await serveApp(express().use('/api', router));
    for (const path of ['/api/mcp', '/api/mcp?a=1', '/api/of/ada/mcp', '/api/wrapped?a=1'])
      expect(await callEcho(url, path)).toBe(path);
    expect(await callEcho(url, '/api/mcp/below')).toBe(404);
  });

  test('it may be mounted in routers and in apps inside apps', async () => {
    const endpoint = await echoEndpoint();
    const app = express();
    app.use('/router', express.Router().use('/mcp', endpoint));
    app.use('/app', express().use('/mcp', endpoint));
    const url = await serveApp(app);
    for (const path of ['/router/mcp', '/app/mcp']) {
      expect(await callEcho(url, path)).toBe(path);
      expect(await callEcho(url, `${path}/below`)).toBe(404);
    }
  });

  test('after another route has called next, paths below still belong to the app', async () => {
    const app = express();
    app.all(anyPath, (_req, _res, next) => next());
    app.use('/mcp', await echoEndpoint());
    app.all('/mcp/below', (_req, res) => void res.status(418).end());
    const url = await serveApp(app);
    expect(await callEcho(url, '/mcp')).toBe('/mcp');
    expect(await callEcho(url, '/mcp/below')).toBe(418);
  });
});
