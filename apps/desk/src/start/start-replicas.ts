import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Child } from '@toolwright/app-fleet/dist/processes/child.js';
import {
  findProgram,
  missingText,
  requireNewerNode,
} from '@toolwright/app-fleet/dist/processes/find-program.js';
import { freePort } from '@toolwright/app-fleet/dist/processes/free-port.js';
import { MissingProgramError } from '@toolwright/app-fleet/dist/processes/missing-program-error.js';
import { PostgresProcess } from '@toolwright/app-fleet/dist/processes/postgres-process.js';
import { endpointOf } from '../desk-settings.js';
import type { Settings } from '../settings.js';
import type { RunningDesk } from './running-desk.js';
import { startIssuer } from './start-issuer.js';

/**
 * A PostgreSQL server, and several processes of the desk behind one port. They run on a Node.js that is new enough for the
 * queue of durable tasks. The issuer stays in this process.
 *
 * @throws {MissingProgramError} when PostgreSQL or that Node.js is not installed
 */
export async function startReplicas(settings: Settings): Promise<RunningDesk> {
  const missing = (['initdb', 'postgres'] as const).filter((program) => findProgram(program) === undefined);
  if (missing.length > 0) throw new MissingProgramError(missingText(missing));
  const node = requireNewerNode();
  const folder = makeFolder();
  const stops: (() => Promise<void>)[] = [
    () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
  ];
  const stop = async () => {
    for (const end of stops.reverse()) await end();
  };
  try {
    const port = settings.port || (await freePort());
    const origin = `http://127.0.0.1:${port}`;
    const { issuer, client } = await startIssuer(origin, settings.issuerPort);
    stops.push(() => issuer.close());
    const postgres = await PostgresProcess.start(join(folder, 'postgres'));
    stops.push(() => postgres.stop());
    const replicas = await Child.start(node, [join(__dirname, '..', 'replicas.js')], {
      ready: /^replicas ready$/,
      showErrors: true,
      env: {
        ...process.env,
        PORT: String(port),
        DESK_REPLICAS: String(settings.replicas),
        DESK_ISSUER: issuer.issuer,
        DESK_CLIENT_ID: client.id,
        DESK_CLIENT_SECRET: client.secret,
        DESK_DATA: settings.dataFolder,
        DATABASE_URL: postgres.url,
        SECRETS: randomBytes(32).toString('base64'),
      },
    });
    stops.push(() => replicas.end());
    const broken = replicas.exited.then(() => replicas.output);
    return { url: endpointOf({ origin }), issuer: issuer.issuer, stop, broken };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** PostgreSQL may run as another user, who must get to its own folder in this one. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-desk-'));
  chmodSync(folder, 0o711);
  mkdirSync(join(folder, 'postgres'));
  return folder;
}
