import { createFixture } from '../../http/test/support/fixture.js';
import { send } from '../../http/test/support/wire.js';
import { mcpExpress } from '../src/index.js';
import { closeApps, serveApp, versions } from './support/served-app.js';

afterEach(closeApps);

describe.each(versions)('in %s', (_name, express) => {
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
