import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { freePort } from '@toolwright/app-fleet/dist/processes/free-port.js';
import { drainOnSignal } from '@toolwright/express';
import { postgresStores } from '@toolwright/postgres';
import { createDesk } from '../desk.js';
import { createDeskApp } from '../desk-app.js';
import { endpointOf } from '../desk-settings.js';
import { EmbeddedDatabase } from '../database/embedded-database.js';
import { type Settings, SettingsError } from '../settings.js';
import { serveMetrics } from './serve-metrics.js';
import type { RunningDesk } from './running-desk.js';
import { startIssuer } from './start-issuer.js';

/** The whole desk in this process, with an embedded database. Nothing else is needed. */
export async function startAlone({
  port: wanted,
  issuerPort,
  metricsPort,
  dataFolder,
  chat,
}: Settings): Promise<RunningDesk> {
  if (metricsPort !== undefined) await serveMetrics(metricsPort);
  const port = wanted || (await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const { issuer, client } = await startIssuer(origin, issuerPort);
  const database = await EmbeddedDatabase.open();
  const desk = await createDesk(
    { database, stores: [postgresStores({ pglite: database.pglite })] },
    {
      origin,
      issuer: issuer.issuer,
      client,
      secrets: [randomBytes(32).toString('base64')],
      instance: 'desk',
      dataFolder,
      chat,
    },
  );
  const listener = createDeskApp(desk).listen(port, '127.0.0.1');
  const app = drainOnSignal(desk.server, listener, { signals: false, drainDelay: 0 });
  await listening(listener, port);
  return {
    url: endpointOf({ origin }),
    issuer: issuer.issuer,
    stop: async () => {
      await app.close();
      await database.close();
      await issuer.close();
    },
  };
}

/** @throws {SettingsError} when another program has the port */
async function listening(listener: Server, port: number): Promise<void> {
  try {
    await once(listener, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'EADDRINUSE'
      ? new SettingsError(`PORT: another program listens on port ${port}. Set PORT to a free one.`)
      : error;
  }
}
