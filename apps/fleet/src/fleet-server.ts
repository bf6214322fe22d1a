import { createMcpServer, type McpServer } from '@toolwright/core';
import { postgresAuditSink } from '@toolwright/postgres';
import { redisStores } from '@toolwright/redis';
import { postgresTasks } from '@toolwright/tasks';
import { Database } from './database.js';
import type { ReplicaSettings } from './replica-settings.js';
import { BeatJobs } from './tools/beat-jobs.js';
import { CounterTools } from './tools/counter-tools.js';
import { BoardTools } from './tools/board-tools.js';
import { IdentityTools, INSTANCE } from './tools/identity-tools.js';
import { JobTools } from './tools/job-tools.js';
import { LimitedTools } from './tools/limited-tools.js';
import { LongTools } from './tools/long-tools.js';

/** The server of one process. All are made alike, and share what they remember. */
export function createFleetServer(settings: ReplicaSettings): Promise<McpServer> {
  const { auditFile, beats, databaseUrl, instance, leaseMs, redisUrl, secrets, taskConcurrency } = settings;
  return createMcpServer({
    name: 'fleet',
    about: { title: 'Fleet' },
    version: '1.0.0',
    ports: { instanceId: instance },
    services: [
      IdentityTools,
      LimitedTools,
      LongTools,
      CounterTools,
      BoardTools,
      JobTools,
      ...(beats ? [BeatJobs] : []),
    ],
    providers: [
      { provide: INSTANCE, useValue: instance },
      // A factory, so that the container closes the pool when the server closes.
      { provide: Database, useFactory: () => new Database(databaseUrl) },
    ],
    stores: [
      ...(redisUrl ? [redisStores({ url: redisUrl, ...(leaseMs !== undefined && { lease: leaseMs }) })] : []),
      { tasks: postgresTasks({ url: databaseUrl }) },
    ],
    secrets,
    tasks: { concurrency: taskConcurrency },
    audit: auditFile !== undefined && {
      file: auditFile,
      sinks: [postgresAuditSink({ url: databaseUrl })],
    },
  });
}
