import { createMcpServer, type McpServer } from '@toolwright/core';
import { postgresAuditSink } from '@toolwright/postgres';
import { redisStores } from '@toolwright/redis';
import { Database } from './database.js';
import type { ReplicaSettings } from './replica-settings.js';
import { CounterTools } from './tools/counter-tools.js';
import { BoardTools } from './tools/board-tools.js';
import { IdentityTools, INSTANCE } from './tools/identity-tools.js';
import { LimitedTools } from './tools/limited-tools.js';
import { LongTools } from './tools/long-tools.js';

/** The server of one replica. All replicas are made alike, and share what they remember. */
export function createFleetServer(settings: ReplicaSettings): Promise<McpServer> {
  const { auditFile, databaseUrl, instance, leaseMs, redisUrl, requestStateSecrets, sessionSecrets } =
    settings;
  return createMcpServer({
    name: 'fleet',
    title: 'Fleet',
    version: '1.0.0',
    instanceId: instance,
    services: [IdentityTools, LimitedTools, LongTools, CounterTools, BoardTools],
    providers: [
      { provide: INSTANCE, useValue: instance },
      // A factory, so that the container closes the pool when the server closes.
      { provide: Database, useFactory: () => new Database(databaseUrl) },
    ],
    ...(redisUrl && { stores: redisStores({ url: redisUrl, ...(leaseMs !== undefined && { leaseMs }) }) }),
    requestState: { secrets: requestStateSecrets },
    sessions: { secrets: sessionSecrets },
    audit: auditFile !== undefined && {
      file: auditFile,
      sinks: [postgresAuditSink({ url: databaseUrl })],
    },
  });
}
