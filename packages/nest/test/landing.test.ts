import { send } from '../../http/test/support/wire.js';
import { closeApps, mcp, platforms, serve } from './support/apps.js';

afterEach(closeApps);

describe.each(platforms)('on $name', (platform) => {
  test('a browser gets a page with the whole path of the route', async () => {
    const { url } = await serve(platform, { imports: [mcp()] }, (app) => void app.setGlobalPrefix('api'));
    const { status, headers, text } = await send(url, {
      method: 'GET',
      path: '/api/mcp',
      headers: { accept: 'text/html' },
    });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain(`<pre><code>${url}/api/mcp</code></pre>`);
  });

  test('the options of the page are those of every endpoint', async () => {
    const { url } = await serve(platform, { imports: [mcp({ http: { landing: false } })] });
    const answer = await send(url, { method: 'GET', path: '/mcp', headers: { accept: 'text/html' } });
    expect(answer.status).toBe(405);
  });
});
