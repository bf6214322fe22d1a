import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createMcpServer, type McpServer, type ServerOptions } from '@toolwright/core';
import { MemoryClaimStore, MemoryTaskStore, systemClock } from '@toolwright/core/ports';
import type { Settings } from './settings.js';
import { addFurtherTools } from './toolwright-tools.js';
import { SERVER_INFO, TASK_TTL } from './work.js';

type ServiceClass = new (...args: never[]) => object;

/**
 * As an application would set it up: decorated classes with the manifest of their build; validation, rate limit and
 * audit on. Only limits that the load is meant to exceed are raised.
 */
export async function toolwrightServer(
  settings: Settings,
  more: Pick<ServerOptions, 'stores'> = {},
): Promise<McpServer> {
  const { tools, redis, generated } = settings;
  const server = await createMcpServer({
    ...SERVER_INFO,
    services: servicesOf(settings),
    rateLimit: { points: 1_000_000_000, per: '1m' },
    audit: { file: join(generated, 'audit', `${process.pid}.jsonl`) },
    // The peers do not page: lists are compared by the same answer.
    lists: { pageSize: Math.max(100, tools) },
    sessions: { max: 20_000 },
    stores: [
      ...(redis ? [await redisStoresAt(redis)] : []),
      ...(settings.task ? [{ tasks: roomyTaskStore() }] : []),
      ...(settings.elicit ? [{ claims: roomyClaimStore() }] : []),
    ],
    secrets,
    subscriptions: { max: 10_000 },
    ...(settings.task && { tasks: { ttl: TASK_TTL } }),
    ...(settings.unqueued && { concurrency: false }),
    ...more,
  });
  addFurtherTools(server, settings);
  return server;
}

/** The classes that a workload asks for. Nothing else is loaded: that would be part of its start and of its memory. */
function servicesOf(settings: Settings): ServiceClass[] {
  const load = createRequire(join(settings.generated, 'toolwright', 'dist', 'services.js'));
  const { services } = load('./services.js') as { services: ServiceClass[] };
  const one = (file: string, name: string) => (load(file) as Record<string, ServiceClass>)[name]!;
  return [
    ...services,
    ...(settings.progress ? [one('./progress.js', 'Progress')] : []),
    ...(settings.objects ? [one('./search.js', settings.tokens ? 'GuardedSearch' : 'Search')] : []),
    ...(settings.dto ? [one('./save.js', 'Save')] : []),
    ...(settings.usual ? [one('./find-pages.js', 'FindPages')] : []),
    ...(settings.elicit ? [one('./booking.js', 'Booking')] : []),
    ...(settings.task ? [one('./booking.js', 'Reports')] : []),
  ];
}

/** Processes that share stores share these, too. */
const secrets = ['a secret of the bench with thirty-two characters'];

/** As many tasks as a load begins; all belong to one caller. */
const roomyTaskStore = () => new MemoryTaskStore(systemClock, { max: 1_000_000, maxPerOwner: 1_000_000 });

/** As many answered questions as a load begins within ten minutes; all belong to one caller. */
const roomyClaimStore = () => new MemoryClaimStore(systemClock, 100_000_000);

async function redisStoresAt(url: string) {
  const { redisStores } = await import('@toolwright/redis');
  return redisStores({ url });
}
