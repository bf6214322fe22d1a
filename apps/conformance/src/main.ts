import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { ServerOptions } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { postgresTasks } from '@toolwright/tasks';
import { createConformanceServer } from './conformance-server.js';

async function main(): Promise<void> {
  const server = await createConformanceServer({
    skills: join(__dirname, '../skills'),
    ...(process.env['TASKS'] === 'queue' && queued()),
    ...(process.env['PROGRAMS'] && { codeMode: { list: 'all' } }),
  });
  const { url } = await serveHttp(server, { port: Number(process.env['PORT'] ?? 3901) });
  console.log(`conformance listening on ${url}`);
}

/** Tasks on the queue, in a Postgres that lives in this process. */
function queued(): Partial<ServerOptions> {
  return {
    stores: [{ tasks: postgresTasks({ pglite: new PGlite() }) }],
    secrets: [randomBytes(32).toString('base64')],
    tasks: { concurrency: 10 },
  };
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
