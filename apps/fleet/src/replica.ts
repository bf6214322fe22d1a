import { serveHttp } from '@toolwright/http';
import { createFleetServer } from './fleet-server.js';
import { callerOf } from './caller-of.js';
import { readReplicaSettings } from './replica-settings.js';
import { SettingsError } from './settings.js';

/** One replica. Any number of them serve the same clients. */
async function main(): Promise<void> {
  const settings = readReplicaSettings(process.env);
  const { host, port, allowedHosts, drainDelayMs } = settings;
  const { url } = await serveHttp(await createFleetServer(settings), {
    host,
    port,
    drainDelay: drainDelayMs,
    ...(allowedHosts && { allowedHosts }),
    principal: callerOf,
    // The balancer writes this header, and replaces what a client has sent.
    ip: ({ headers }) => headers['x-real-ip']?.toString(),
  });
  console.log(`${settings.instance} listening on ${url}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof SettingsError ? `The replica cannot start. ${error.message}` : error);
  process.exit(1);
});
