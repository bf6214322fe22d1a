import { createFixture } from '../../http/test/support/fixture.js';
import { send } from '../../http/test/support/wire.js';
import { mcpExpress } from '../src/index.js';
import { closeApps, serveApp, versions } from './support/served-app.js';

afterEach(closeApps);

describe.each(versions)('in %s', (_name, express) => {
  test('a browser gets a page with the whole path of the mount', async () => {
    const { server } = await createFixture();
    const api = express.Router().use('/mcp', mcpExpress(server));
    const url = await serveApp(express().use('/api', api));
    const { status, headers, text } = await send(url, {
      method: 'GET',
      path: '/api/mcp',
      headers: { accept: 'text/html' },
    });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain(`<pre><code>${url}/api/mcp</code></pre>`);
  });

  test('pages below the mount stay with the app', async () => {
    const { server } = await createFixture();
    const app = express().use('/mcp', mcpExpress(server));
    app.get('/mcp/help', (_req, res) => void res.send('help of the app'));
    const answer = await send(await serveApp(app), {
      method: 'GET',
      path: '/mcp/help',
      headers: { accept: 'text/html' },
    });
    expect(answer).toMatchObject({ status: 200, text: 'help of the app' });
  });
});
