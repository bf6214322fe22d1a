import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describePages } from './pages-contract.js';
import { builtFile, StartedApp } from './started-app.js';

describe('the pages app over HTTP', () => {
  const data = mkdtempSync(join(tmpdir(), 'pages-http-'));
  let app: StartedApp;

  beforeAll(async () => {
    app = await StartedApp.start(builtFile('pages', 'main.js'), { PAGES_DATA: data });
  });

  afterAll(async () => {
    await app.stop();
    rmSync(data, { recursive: true, force: true });
  });

  describePages(() => ({ url: app.url }));
});
