import { createMcpServer, RequireScopes, type McpServer, type ToolContext } from '@toolwright/core';

/** A schema with all that forms must know. */
const every = {
  type: 'object',
  properties: {
    text: { type: 'string', title: 'Words', description: 'what to look for', minLength: 2 },
    count: { type: 'integer', minimum: 1, maximum: 10 },
    ratio: { type: 'number' },
    isOpen: { type: 'boolean' },
    colour: { enum: ['red', 'green'] },
    when: { type: 'string', format: 'date-time' },
    day: { type: 'string', format: 'date' },
    tags: { type: 'array', items: { type: 'string' } },
    place: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    shape: {
      oneOf: [
        {
          type: 'object',
          title: 'circle',
          properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
          required: ['kind', 'radius'],
        },
        {
          type: 'object',
          title: 'square',
          properties: { kind: { const: 'square' }, side: { type: 'number' } },
          required: ['kind', 'side'],
        },
      ],
    },
    tree: { $ref: '#/$defs/Node' },
    file: { type: 'string', contentEncoding: 'base64' },
    body: { type: 'string' },
    maybe: { type: ['string', 'null'] },
  },
  required: ['text'],
  additionalProperties: false,
  $defs: {
    Node: {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
      required: ['name'],
    },
  },
} as const;

/** The page of an MCP App, without a library: it says hello to its host and shows what it is told. */
const SUM_PAGE = `<!doctype html><p id="sum">waiting</p><script>
  const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  addEventListener('message', ({ data }) => {
    if (data.id === 1) post({ method: 'ui/notifications/initialized', params: {} });
    if (data.method === 'ui/notifications/tool-result')
      document.getElementById('sum').textContent = 'The sum is ' + data.params.structuredContent.sum;
  });
  const params = { appInfo: { name: 'sum', version: '1.0.0' }, appCapabilities: {}, protocolVersion: '2026-01-26' };
  post({ id: 1, method: 'ui/initialize', params });
</script>`;

/** A server with one operation of each kind that the console shows in its own way. */
export async function exampleServer(): Promise<McpServer> {
  const server = await createMcpServer({
    name: 'example',
    about: { title: 'Example' },
    version: '1.0.0',
    services: [],
    audit: false,
  });
  server.tools.add({
    name: 'echo_all',
    description: 'Returns its arguments.',
    inputSchema: every,
    outputSchema: { type: 'object' },
    handler: (args) => args,
  });
  server.tools.add({
    name: 'list_rows',
    description: 'Returns rows.',
    annotations: { readOnlyHint: true },
    inputSchema: { type: 'object' },
    outputSchema: {
      type: 'object',
      properties: { rows: { type: 'array', items: { type: 'object' } } },
      required: ['rows'],
    },
    handler: () => ({
      rows: [
        { id: 1, name: 'one' },
        { id: 2, name: 'two' },
      ],
    }),
  });
  server.tools.add({
    name: 'ask_name',
    description: 'Asks for a name and greets.',
    inputSchema: { type: 'object' },
    handler: async (_args: unknown, context: ToolContext) => {
      const { action, content } = await context.elicit('name', {
        message: 'Who are you?',
        schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      });
      return action === 'accept' ? `Hello ${String(content?.['name'])}` : `You said ${action}.`;
    },
  });
  server.tools.add({
    name: 'show_media',
    description: 'Returns a picture, a sound and a link.',
    inputSchema: { type: 'object' },
    handler: () => ({
      content: [
        {
          type: 'image',
          mimeType: 'image/gif',
          data: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
        },
        {
          type: 'audio',
          mimeType: 'audio/wav',
          data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=',
        },
        { type: 'resource_link', uri: 'file:///notes.txt', name: 'notes' },
      ],
    }),
  });
  server.tools.add({
    name: 'close_books',
    description: 'Only for the accountant.',
    inputSchema: { type: 'object' },
    policies: [RequireScopes.entry('books:close')],
    handler: () => 'closed',
  });
  server.resources.add({ name: 'sum', uri: 'ui://sum/page', ui: {}, handler: () => SUM_PAGE });
  server.tools.add({
    name: 'add_numbers',
    description: 'Adds two numbers, and shows the sum on a page.',
    inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
    outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
    ui: 'ui://sum/page',
    handler: ({ a, b }) => ({ sum: Number(a) + Number(b) }),
  });
  server.prompts.add({
    name: 'greet',
    description: 'Greets somebody.',
    arguments: [{ name: 'who', required: true }],
    complete: { who: (typed) => ['Ada', 'Alan', 'Grace'].filter((name) => name.startsWith(typed)) },
    handler: ({ who }) => `Greet ${String(who)}.`,
  });
  server.resources.add({
    name: 'notes',
    uri: 'notes://all',
    mimeType: 'text/plain',
    handler: () => 'All notes.',
  });
  return server;
}
