import { createMcpServer, type McpServer, type ServerOptions, type ToolContext } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { silentLogger } from '@toolwright/core/ports';

/** A server without operations of its own, for mounts. */
export function createGateway(options: Partial<ServerOptions> = {}): Promise<McpServer> {
  return createMcpServer({
    name: 'gateway',
    version: '1.0.0',
    services: [],
    rateLimit: false,
    concurrency: false,
    logger: silentLogger,
    ...options,
  });
}

const text = (name: string) => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
});

/** A server of 2026-07-28 that uses everything a mount passes on. */
export async function createUpstream(): Promise<McpServer> {
  const server = await createGateway({ name: 'upstream', audit: false });
  addTools(server);
  addReadables(server);
  return server;
}

function addTools({ tools }: McpServer): void {
  tools.add([
    {
      name: 'echo',
      title: 'Echo',
      description: 'Returns its text.',
      annotations: { readOnlyHint: true },
      inputSchema: text('text'),
      handler: ({ text }) => text,
    },
    {
      name: 'sum',
      description: 'Adds.',
      inputSchema: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
      },
      outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
      handler: ({ a, b }) => ({ sum: (a as number) + (b as number) }),
    },
    {
      name: 'greet',
      description: 'Asks for a name.',
      async handler(_args, ctx: ToolContext) {
        const answer = await ctx.elicit('user_name', { message: 'What is your name?', schema: text('name') });
        return answer.action === 'accept' ? `Hello, ${String(answer.content!['name'])}!` : answer.action;
      },
    },
    {
      name: 'think',
      description: 'Asks a model.',
      async handler(_args, ctx: ToolContext) {
        const messages = [{ role: 'user' as const, content: { type: 'text', text: 'Capital of France?' } }];
        const { content } = await ctx.sample('capital', { messages, maxTokens: 100 });
        return (content as { text: string }).text;
      },
    },
    {
      name: 'work',
      description: 'Reports progress and logs.',
      handler(_args, ctx: ToolContext) {
        ctx.progress(1, 2, 'half');
        ctx.log.info('working', 'upstream');
        return 'done';
      },
    },
    {
      name: 'fail',
      description: 'Fails.',
      handler: () => ({ isError: true, content: [{ type: 'text', text: 'no such page' }] }),
    },
  ]);
}

function addReadables({ resources, resourceTemplates, prompts }: McpServer): void {
  resources.add({ name: 'notes', uri: 'notes://all', mimeType: 'text/plain', handler: () => 'all notes' });
  resourceTemplates.add({
    name: 'note',
    uriTemplate: 'notes://{id}/text',
    handler: ({ id }) => `note ${String(id)}`,
    complete: { id: (value) => ['alpha', 'beta'].filter((each) => each.startsWith(value)) },
  });
  prompts.add({
    name: 'review',
    description: 'Reviews.',
    arguments: [{ name: 'topic', required: true }],
    handler: ({ topic }) => `Review ${String(topic)}`,
    complete: { topic: (value) => ['code', 'text'].filter((each) => each.startsWith(value)) },
  });
}

/** Serves it over loopback. */
export async function serveUpstream(server: McpServer, port = 0) {
  const served = await serveHttp(server, { port, signals: false });
  return { url: served.url, served };
}
