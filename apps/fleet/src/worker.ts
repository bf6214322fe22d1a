import { serveTasks } from '@toolwright/core';
import { createFleetServer } from './fleet-server.js';
import { readReplicaSettings } from './replica-settings.js';
import { SettingsError } from './settings.js';

const OTHERWISE = 16;

/** One worker. It serves no clients, and works on the tasks that the replicas have accepted. */
async function main(): Promise<void> {
  const settings = readReplicaSettings(process.env);
  const concurrency = settings.taskConcurrency || OTHERWISE;
  await serveTasks(await createFleetServer({ ...settings, taskConcurrency: 0 }), { concurrency });
  console.log(`${settings.instance} working on ${concurrency} tasks at a time`);
}

main().catch((error: unknown) => {
  console.error(error instanceof SettingsError ? `The worker cannot start. ${error.message}` : error);
  process.exit(1);
});
