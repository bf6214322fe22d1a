import { isMainThread } from 'node:worker_threads';
import { holdListeners } from './hold-listeners.js';
import { DevLink } from './dev-link.js';
import { provideLogger } from './readable-logger.js';
import { provideManifests } from './provide-manifests.js';
import { RunningServers } from './running-servers.js';

/**
 * `node --require` loads this file into the app before any of its own code. Threads and processes that the
 * app starts inherit the flag, but this code must not run in them.
 */
if (isMainThread && process.send && process.env['TOOLWRIGHT_DEV'] === String(process.ppid)) {
  const link = new DevLink();
  provideLogger();
  provideManifests(link);
  holdListeners(link);
  const servers = new RunningServers(({ info }) => link.tell({ tell: 'serving', name: info.name }));
  link.on('findUnserved', ({ services }) =>
    link.tell({ tell: 'unserved', keys: servers.findUnserved(services) }),
  );
  link.on(
    'swap',
    (swap) => void servers.swap(swap).then((outcome) => link.tell({ tell: 'swapped', outcome })),
  );
}
