import { serveTasks } from '@toolwright/core/operate';
import { serveHealth } from '@toolwright/http';
import { createFleetServer } from './fleet-server.js';
import { readReplicaSettings } from './replica-settings.js';
import { SettingsError } from './settings.js';

const OTHERWISE = 16;

/** One worker. It serves no clients, and works on the tasks that the replicas have accepted. */
async function main(): Promise<void> {
  const settings = readReplicaSettings(process.env);
  const concurrency = settings.taskConcurrency || OTHERWISE;
  const { host, healthPort } = settings;
  const server = await createFleetServer({ ...settings, taskConcurrency: 0 });
  await serveTasks(server, { concurrency });
  if (healthPort !== undefined) await serveHealth(server, { host, port: healthPort });
  console.log(`${settings.instance} working on ${concurrency} tasks at a time`);
}

main().catch((error: unknown) => {
  console.error(error instanceof SettingsError ? `The worker cannot start. ${error.message}` : error);
  process.exit(1);
});
