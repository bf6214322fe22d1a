import type { McpServer, ServerOptions, ToolContext } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { boot } from './booting.js';
import { FakeClock } from './fake-clock.js';
import { Gates } from './gates.js';

export const form = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
/** The answer of a client to `form`. */
export const accept = (name: unknown) => ({ action: 'accept', content: { name } });

export interface ProtocolFixture {
  server: McpServer;
  clock: FakeClock;
  gates: Gates;
  /** What tools have done. */
  acts: string[];
}

/** Asks for a name under a key. */
export const asked = (key: string) => (context: ToolContext) =>
  context.elicit<{ name: string }>(key, { message: `${key}?`, schema: form });

/** A server with an operation of each kind that tests of the protocol need. Its clock stands still. */
export async function createProtocolFixture(options: Partial<ServerOptions> = {}): Promise<ProtocolFixture> {
  const clock = new FakeClock();
  const gates = new Gates();
  const acts: string[] = [];
  const server = await boot({
    rateLimit: false,
    concurrency: false,
    timeout: false,
    ports: { clock },
    ...options,
  });
  for (const tool of callTools(gates)) server.tools.add({ description: tool.name, ...tool });
  for (const tool of askingTools(acts)) server.tools.add({ description: tool.name, ...tool });
  addReadables(server);
  return { server, clock, gates, acts };
}

/** Closes the server, even if something is open. */
export async function close({ server, clock }: Pick<ProtocolFixture, 'server' | 'clock'>): Promise<void> {
  const closing = server.close(0);
  await clock.advance(0);
  await closing;
}

function callTools(gates: Gates): ToolDefinition[] {
  const gate = { type: 'object', properties: { gate: { type: 'string' } } };
  return [
    { name: 'whoami', handler: (_args, { principal }) => principal?.subject ?? 'nobody' },
    {
      name: 'hold',
      inputSchema: gate,
      async handler({ gate: name }, { signal }) {
        await gates.wait(String(name), signal);
        return `through ${String(name)}`;
      },
    },
    {
      name: 'talk',
      async handler(_args, context) {
        context.log.debug('quiet');
        context.progress(1, 2, 'half');
        context.log.error('loud');
        return 'said';
      },
    },
    {
      name: 'mirrored',
      inputSchema: {
        type: 'object',
        properties: {
          s: { type: 'string', 'x-mcp-header': 'S' },
          n: { type: 'integer', 'x-mcp-header': 'N' },
          b: { type: 'boolean', 'x-mcp-header': 'B' },
          nested: { type: 'object', properties: { t: { type: 'string', 'x-mcp-header': 'T' } } },
        },
      },
      handler: (args) => JSON.stringify(args),
    },
  ];
}

function askingTools(acts: string[]): ToolDefinition[] {
  const message = { role: 'user' as const, content: { type: 'text' as const, text: 'Hi' } };
  return [
    {
      name: 'ask',
      async handler(_args, context) {
        const { action, content } = await asked('who')(context);
        return action === 'accept' ? `Hello, ${content?.name}!` : action;
      },
    },
    {
      name: 'interview',
      annotations: { destructiveHint: true },
      inputSchema: { type: 'object', properties: { topic: { type: 'string' } } },
      async handler({ topic }, context) {
        const first = await asked('first')(context);
        await context.once('act', () => void acts.push(String(topic)));
        const second = await asked('second')(context);
        return `${first.content?.name} ${second.content?.name}`;
      },
    },
    {
      name: 'open_page',
      handler: async (_args, context) =>
        (await context.elicit('page', { message: 'Open', url: 'https://example.com/' })).action,
    },
    {
      name: 'sample',
      handler: async (_args, context) =>
        JSON.stringify((await context.sample('model', { messages: [message], maxTokens: 10 })).content),
    },
    {
      name: 'roots',
      handler: async (_args, context) => (await context.roots()).map(({ uri }) => uri).join(),
    },
  ];
}

function addReadables({ resources, resourceTemplates, prompts }: McpServer): void {
  resources.add({ name: 'plain', uri: 'test://plain', handler: () => 'plain' });
  resourceTemplates.add({
    name: 'page',
    uriTemplate: 'test://pages/{id}',
    complete: { id: (value) => Array.from({ length: 150 }, (_, index) => `${value}${index}`) },
    handler: ({ id }) => String(id),
  });
  prompts.add({
    name: 'greet',
    arguments: [{ name: 'who', required: true }, { name: 'how' }],
    complete: { who: (value, known) => [`${value}-${known['how'] ?? 'none'}`] },
    handler: ({ who }) => `Greet ${String(who)}.`,
  });
}
