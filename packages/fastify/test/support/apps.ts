import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { createFixture } from '../../../http/test/support/fixture.js';
import { call, send } from '../../../http/test/support/wire.js';
import { mcpFastify, type McpFastifyOptions } from '../../src/index.js';

const apps: FastifyInstance[] = [];

/** An app that `closeApps` closes. */
export function createApp(options?: FastifyServerOptions): FastifyInstance {
  const app = Fastify(options);
  apps.push(app);
  return app;
}

export async function closeApps(): Promise<void> {
  for (const app of apps.splice(0)) await app.close();
}

/** @returns the URL of the app's root */
export function serveApp(app: FastifyInstance): Promise<string> {
  return app.listen({ port: 0, host: '127.0.0.1' });
}

/** Adds an endpoint whose tools can be called. */
export async function mountFixture(
  app: FastifyInstance,
  options: Partial<McpFastifyOptions> & { prefix?: string } = {},
): Promise<void> {
  const { server } = await createFixture();
  app.register(mcpFastify, { server, ...options });
}

/** @returns the answer of the tool; the status if there is no such endpoint */
export async function callEcho(base: string, path: string, headers = {}): Promise<unknown> {
  const message = call('echo', { text: path });
  const answer = await send(base, { ...message, path, headers: { ...message.headers, ...headers } });
  return answer.status === 200 ? answer.json.result.content[0].text : answer.status;
}
