import { createFleetServer } from './fleet-server.js';
import { readReplicaSettings } from './replica-settings.js';

/**
 * What `toolwright-operate worker` runs: a server that serves no clients. The command says how many tasks it works on at a
 * time.
 */
export const createServer = () =>
  createFleetServer({ ...readReplicaSettings(process.env), taskConcurrency: 0 });
