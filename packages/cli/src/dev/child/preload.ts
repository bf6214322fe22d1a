import { isMainThread } from 'node:worker_threads';
import { AppConsole } from './app-console.js';
import { holdListeners } from './hold-listeners.js';
import { DevLink } from './dev-link.js';
import { provideLogger } from './readable-logger.js';
import { provideManifests } from './provide-manifests.js';
import { reportEnd } from './report-end.js';
import { RunningServers } from './running-servers.js';

/**
 * `node --require` loads this file into the app before any of its own code. Threads and processes that the
 * app starts inherit the flag, but this code must not run in them.
 */
if (isMainThread && process.send && process.env['TOOLWRIGHT_DEV'] === String(process.ppid)) {
  const link = new DevLink();
  reportEnd(link);
  provideLogger();
  provideManifests(link);
  holdListeners(link);
  const console = process.env['TOOLWRIGHT_DEV_CONSOLE'] === 'on' ? new AppConsole(link) : undefined;
  const servers = new RunningServers((server) => {
    console?.add(server);
    link.tell({ tell: 'serving', name: server.info.name });
  });
  link.on('findUnserved', ({ services }) =>
    link.tell({ tell: 'unserved', keys: servers.findUnserved(services) }),
  );
  link.on(
    'swap',
    (swap) =>
      void servers.swap(swap).then((outcome) => {
        link.tell({ tell: 'swapped', outcome });
        if (outcome.is === 'replaced') console?.tellSurfaces();
      }),
  );
}
