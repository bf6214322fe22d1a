import { send } from '../../http/test/support/wire.js';
import { closeApps, createApp, mountFixture, serveApp } from './support/apps.js';

afterEach(closeApps);

test('the options of the page are those of every endpoint', async () => {
  const app = createApp();
  await mountFixture(app, { publicUrl: 'https://mcp.example.com/notes' });
  await mountFixture(app, { path: '/quiet', landing: false });
  const url = await serveApp(app);
  const get = (path: string) => send(url, { method: 'GET', path, headers: { accept: 'text/html' } });
  expect((await get('/mcp')).text).toContain('<pre><code>https://mcp.example.com/notes</code></pre>');
  expect(await get('/quiet')).toMatchObject({ status: 405 });
});
