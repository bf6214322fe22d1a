import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { describePages } from './pages-contract.js';
import { builtFile } from './started-app.js';

describe('the pages app over stdio', () => {
  const data = temporaryFolder();

  describePages(() => ({
    command: process.execPath,
    args: [builtFile('pages', 'stdio.js')],
    // The test over HTTP imports all documents.
    env: {
      PATH: process.env.PATH ?? '',
      PAGES_DATA: data,
      PAGES_IMPORT: join(__dirname, '../../../docs/.vitepress/errors'),
    },
  }));
});
