import { drainOnSignal } from '@toolwright/express';
import { runWorkers } from '@toolwright/http/workers';
import { postgresStores } from '@toolwright/postgres';
import { postgresTasks } from '@toolwright/tasks';
import { once } from 'node:events';
import { ServerDatabase } from './database/server-database.js';
import { createDesk } from './desk.js';
import { createDeskApp } from './desk-app.js';
import { readSettings } from './settings.js';
import { serveMetrics } from './start/serve-metrics.js';

/** How many tasks a replica works on at a time. */
const TASKS = 4;

/**
 * The processes of the desk behind one port. What they share is in PostgreSQL, as it is where they run on several machines:
 * points, slots, sessions, streams, changes, what was used, approvals and tasks.
 */
async function main(): Promise<void> {
  const { DATABASE_URL, SECRETS, DESK_ISSUER, DESK_CLIENT_ID, DESK_CLIENT_SECRET } = process.env as Record<
    string,
    string
  >;
  const { port, replicas, dataFolder, metricsPort, chat } = readSettings(process.env);
  await runWorkers({ workers: replicas! }, async ({ stores, number }) => {
    if (metricsPort !== undefined) await serveMetrics(metricsPort + number - 1);
    const url = DATABASE_URL!;
    const database = await ServerDatabase.open(url);
    const desk = await createDesk(
      {
        database,
        stores: [stores, postgresStores({ url }), { tasks: postgresTasks({ url }) }],
        taskConcurrency: TASKS,
      },
      {
        origin: `http://127.0.0.1:${port}`,
        issuer: DESK_ISSUER!,
        client: { id: DESK_CLIENT_ID!, secret: DESK_CLIENT_SECRET! },
        secrets: [SECRETS!],
        instance: `replica-${number}`,
        dataFolder,
        chat,
      },
    );
    const listener = createDeskApp(desk).listen(port, '127.0.0.1');
    const app = drainOnSignal(desk.server, listener, { drainDelay: 0, afterwards: () => database.close() });
    await once(listener, 'listening');
    return app;
  });
  console.log('replicas ready');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
