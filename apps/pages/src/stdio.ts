import { serveStdio } from '@toolwright/stdio';
import { createPagesServer } from './pages-server.js';
import { run } from './run.js';
import { readSettings } from './settings.js';

run(async () => {
  const { server } = await createPagesServer(readSettings(process.env));
  // The database opens with the first call. Clients start such programs more often than they use them, some of them
  // twice at once, to find out which revision they speak; and only one process can have a data folder open.
  await serveStdio(server);
});
