import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { describePages } from './pages-contract.js';
import { builtFile, StartedApp } from './started-app.js';

describe('the pages app over HTTP', () => {
  const data = temporaryFolder();
  let app: StartedApp;

  beforeAll(async () => {
    app = await StartedApp.start(builtFile('pages', 'main.js'), { PAGES_DATA: data });
  });

  afterAll(async () => {
    await app.stop();
  });

  describePages(() => ({ url: app.url }));
});
