import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createMcpServer, type McpServer } from '@toolwright/core';
import type { Settings } from './settings.js';
import { SERVER_INFO } from './work.js';

type ServiceClass = new (...args: never[]) => object;

/**
 * As an application would set it up: decorated classes with the manifest of their build; validation, rate limit and
 * audit on. Only limits that the load is meant to exceed are raised.
 */
export async function toolwrightServer(settings: Settings): Promise<McpServer> {
  const { tools, progress, objects, dto, tokens, redis, generated } = settings;
  const load = createRequire(join(generated, 'toolwright', 'package.json'));
  const { services, Progress, Search, GuardedSearch, Save } = load('./dist/services.js') as Record<
    'Progress' | 'Search' | 'GuardedSearch' | 'Save',
    ServiceClass
  > & { services: ServiceClass[] };
  return createMcpServer({
    ...SERVER_INFO,
    services: [
      ...services,
      ...(progress ? [Progress] : []),
      ...(objects ? [tokens ? GuardedSearch : Search] : []),
      ...(dto ? [Save] : []),
    ],
    rateLimit: { points: 1_000_000_000, per: '1m' },
    audit: { file: join(generated, 'audit', `${process.pid}.jsonl`) },
    // The peers do not page: lists are compared by the same answer.
    pageSize: Math.max(100, tools),
    sessions: { max: 20_000, ...(redis && { secrets }) },
    ...(redis && { stores: await redisStoresAt(redis), requestState: { secrets } }),
    maxSubscriptions: 10_000,
  });
}

/** Processes that share stores share these, too. */
const secrets = ['a secret of the bench with thirty-two characters'];

async function redisStoresAt(url: string) {
  const { redisStores } = await import('@toolwright/redis');
  return redisStores({ url });
}
