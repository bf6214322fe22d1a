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
export function toolwrightServer({ tools, progress, objects, generated }: Settings): Promise<McpServer> {
  const load = createRequire(join(generated, 'toolwright', 'package.json'));
  const { services, Progress, Search } = load('./dist/services.js') as {
    services: ServiceClass[];
    Progress: ServiceClass;
    Search: ServiceClass;
  };
  return createMcpServer({
    ...SERVER_INFO,
    services: [...services, ...(progress ? [Progress] : []), ...(objects ? [Search] : [])],
    rateLimit: { points: 1_000_000_000, per: '1m' },
    audit: { file: join(generated, 'audit', `${process.pid}.jsonl`) },
    // The peers do not page: lists are compared by the same answer.
    pageSize: Math.max(100, tools),
    sessions: { max: 20_000 },
    maxSubscriptions: 10_000,
  });
}
