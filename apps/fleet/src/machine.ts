import { createMcpServer } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { runWorkers } from '@toolwright/http/workers';
import { callerOf } from './caller-of.js';
import { readNumber, SettingsError } from './settings.js';
import { IdentityTools, INSTANCE } from './tools/identity-tools.js';
import { LimitedTools } from './tools/limited-tools.js';
import { LongTools } from './tools/long-tools.js';
import { MachineTools } from './tools/machine-tools.js';

/** The same server with several processes of one machine, without Redis, PostgreSQL and balancer. */
async function main(): Promise<void> {
  const { env } = process;
  const workers = readNumber('WORKERS', env.WORKERS, { least: 0, most: 64, otherwise: 2 });
  const port = readNumber('PORT', env.PORT, { least: 0, most: 65_535, otherwise: 3000 });
  const graceMs = readNumber('GRACE_MS', env.GRACE_MS, { least: 0, most: 600_000, otherwise: 30_000 });
  const unresponsiveMs = readNumber('UNRESPONSIVE_MS', env.UNRESPONSIVE_MS, {
    least: 0,
    most: 600_000,
    otherwise: 10_000,
  });
  const running = await runWorkers(
    { workers, stopTimeout: graceMs + 10_000, unresponsiveTimeout: unresponsiveMs },
    async ({ stores, number }) => {
      const instance = `worker-${number}`;
      const server = await createMcpServer({
        name: 'machine',
        version: '1.0.0',
        ports: { instanceId: instance },
        services: [IdentityTools, LimitedTools, LongTools, MachineTools],
        providers: [{ provide: INSTANCE, useValue: instance }],
        stores,
        audit: env.AUDIT_FILE ? { file: env.AUDIT_FILE } : false,
      });
      return serveHttp(server, { port, grace: graceMs, principal: callerOf });
    },
  );
  console.log(`machine listening on ${running.url} pids ${running.pids.join(' ')}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof SettingsError ? `The machine cannot start. ${error.message}` : error);
  process.exit(1);
});
