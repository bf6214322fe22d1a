import { createMcpServer, ToolError, type McpServer, type ServerOptions } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { Gates } from '../../../core/test/support/gates.js';

const name = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export interface Fixture {
  server: McpServer;
  gates: Gates;
  /** Names that the tool `act` was run for. */
  acts: string[];
}

/** A server with an operation for everything that the protocol's tests ask of one. */
export async function createFixture(options: Partial<ServerOptions> = {}): Promise<Fixture> {
  const gates = new Gates();
  const acts: string[] = [];
  const server = await createMcpServer({
    name: 'fixture',
    version: '1.0.0',
    about: { title: 'Fixture' },
    instructions: 'Use with care.',
    services: [],
    rateLimit: false,
    concurrency: false,
    logger: silentLogger,
    ...options,
  });
  addTools(server, gates, acts);
  addReadables(server);
  return { server, gates, acts };
}

function addTools(server: McpServer, gates: Gates, acts: string[]): void {
  const { tools } = server;
  tools.add({
    name: 'echo',
    title: 'Echo',
    description: 'Says it again.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    annotations: { readOnlyHint: true },
    icons: [{ src: 'https://example.com/echo.png' }],
    meta: { 'example.com/kind': 'sample' },
    handler: ({ text }) => text,
  });
  tools.add({
    name: 'add',
    description: 'Adds.',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
    outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
    handler: ({ a, b }) => ({ sum: (a as number) + (b as number) }),
  });
  tools.add({
    name: 'count',
    description: 'Counts.',
    outputSchema: { type: 'integer' },
    handler: () => 3,
  });
  tools.add({
    name: 'mixed',
    description: 'One block of each kind.',
    handler: () => [
      { type: 'text', text: 'hello', annotations: { priority: 1, lastModified: '2026-01-01T00:00:00Z' } },
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
      { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'test://plain', name: 'plain' },
      { type: 'resource', resource: { uri: 'test://plain', mimeType: 'text/plain', text: 'plain' } },
    ],
  });
  tools.add({
    name: 'fail',
    description: 'Fails.',
    handler: () => Promise.reject(new Error('secret-canary')),
  });
  tools.add({
    name: 'refuse',
    description: 'Refuses.',
    handler: () => {
      throw new ToolError('Not today.');
    },
  });
  tools.add({
    name: 'hold',
    description: 'Waits at a gate.',
    inputSchema: { type: 'object', properties: { gate: { type: 'string' } }, required: ['gate'] },
    handler: async ({ gate }, context) => {
      await gates.wait(gate as string, context.signal);
      return `through ${gate as string}`;
    },
  });
  tools.add({
    name: 'talk',
    description: 'Reports and logs.',
    handler: (_args, context) => {
      context.log.debug('quiet');
      context.log.info('started');
      context.progress(1, 2, 'half');
      context.progress(1, 2, 'the same');
      context.progress(2, 2, 'all');
      context.log.error('loud');
      return 'said';
    },
  });
  tools.add({
    name: 'ask',
    description: 'Asks for a name.',
    handler: async (_args, context) => {
      const answer = await context.elicit<{ name: string }>('who', { message: 'Who?', schema: name });
      return answer.action === 'accept' ? `Hello, ${answer.content?.name}!` : answer.action;
    },
  });
  tools.add({
    name: 'interview',
    description: 'Asks twice.',
    annotations: { destructiveHint: true },
    inputSchema: { type: 'object', properties: { topic: { type: 'string' } } },
    handler: async ({ topic }, context) => {
      const first = await context.elicit<{ name: string }>('first', { message: 'First?', schema: name });
      await context.once('act', () => void acts.push(String(topic)));
      const second = await context.elicit<{ name: string }>('second', { message: 'Second?', schema: name });
      return `${first.content?.name} ${second.content?.name}`;
    },
  });
  tools.add({
    name: 'act',
    description: 'Acts when told to.',
    annotations: { destructiveHint: true },
    inputSchema: { type: 'object', properties: { what: { type: 'string' } } },
    handler: async ({ what }, context) => {
      const answer = await context.elicit('sure', { message: 'Sure?', schema: name });
      if (answer.action === 'accept') acts.push(String(what));
      return answer.action;
    },
  });
  tools.add({
    name: 'open_page',
    description: 'Asks to open a page.',
    handler: async (_args, context) =>
      (await context.elicit('page', { message: 'Open', url: 'https://example.com/' })).action,
  });
  tools.add({
    name: 'sample',
    description: 'Asks the model.',
    handler: async (_args, context) => {
      const messages = [{ role: 'user' as const, content: { type: 'text', text: 'Hi' } }];
      return `LLM: ${JSON.stringify((await context.sample('model', { messages, maxTokens: 10 })).content)}`;
    },
  });
  tools.add({
    name: 'roots',
    description: 'Asks for roots.',
    handler: async (_args, context) => (await context.roots()).map(({ uri }) => uri).join(),
  });
  tools.add({
    name: 'mirrored',
    description: 'Has mirrored arguments.',
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
  });
  tools.add({
    name: 'whoami',
    description: 'Who calls.',
    handler: (_args, { principal }) => principal?.subject ?? 'nobody',
  });
}

function addReadables({ resources, resourceTemplates, prompts }: McpServer): void {
  resources.add({
    name: 'plain',
    uri: 'test://plain',
    description: 'Plain text.',
    mimeType: 'text/plain',
    handler: () => 'plain',
  });
  resources.add({
    name: 'broken',
    uri: 'test://broken',
    handler: () => {
      throw new Error('secret-canary');
    },
  });
  resourceTemplates.add({
    name: 'page',
    uriTemplate: 'test://pages/{id}',
    mimeType: 'application/json',
    complete: { id: (value) => Array.from({ length: 150 }, (_, index) => `${value}${index}`) },
    handler: ({ id }) => JSON.stringify({ id }),
  });
  prompts.add({
    name: 'greet',
    description: 'Greets.',
    arguments: [{ name: 'who', required: true }, { name: 'how' }],
    complete: { who: (value, known) => [`${value}-${known['how'] ?? 'none'}`] },
    handler: ({ who }) => `Greet ${who as string}.`,
  });
}
