import { migrate } from './migrate-source.js';

const whole = `#!/usr/bin/env node
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { Store } from './store.js';

const server = new McpServer({ name: 'notes', version: '1.2.0' }, { capabilities: { tools: {} } });
const store = new Store();

// The schema of a note.
const NoteSchema = z.object({
  title: z.string().min(1).describe('its title'),
  tags: z.array(z.string()).optional(),
});

// Adds a note.
server.registerTool(
  'add_note',
  {
    title: 'Add a note',
    description: 'Add a note. Returns its id.',
    inputSchema: NoteSchema,
    outputSchema: { id: z.string() },
    annotations: { readOnlyHint: false },
  },
  async ({ title, tags }) => {
    const id = await store.add(title, tags ?? []);
    return { content: [{ type: 'text', text: id }], structuredContent: { id } };
  },
);

server.tool('count', 'Count the notes.', async () => ({
  content: [{ type: 'text', text: String(store.size) }],
}));

server.tool('drop', 'Drop a note.', { id: z.string() }, { destructiveHint: true }, async ({ id }) => {
  return { content: [{ type: 'text', text: store.drop(id) }] };
});

server.registerResource('all', 'notes://all', { mimeType: 'text/markdown' }, async (uri) => ({
  contents: [{ uri: uri.href, mimeType: 'text/markdown', text: store.all() }],
}));

server.registerResource(
  'note',
  new ResourceTemplate('notes://{id}', { list: undefined }),
  { description: 'One note.' },
  async (uri, { id }) => ({ contents: [{ uri: uri.href, text: store.get(id) }] }),
);

server.registerPrompt(
  'summarise',
  { description: 'Summarise a note.', argsSchema: { id: z.string() } },
  ({ id }) => ({ messages: [{ role: 'user', content: { type: 'text', text: \`Summarise \${id}.\` } }] }),
);

async function main() {
  const transport = new StdioServerTransport();
  await server.connect(transport);
  console.error('ready');
}

main();
`.replace('import { McpServer }', 'import { McpServer, ResourceTemplate }');

const store = `export class Store {
  size = 0;
  add(title: string, tags: string[]): string { return title + tags; }
  drop(id: string): string { return id; }
  all(): string { return ''; }
  get(id: string): string { return id; }
}
`;

test('a whole server becomes a service, and starts with it', () => {
  const { text, notes, counts } = migrate(whole, { 'src/store.ts': store });
  expect(text()).toBe(`#!/usr/bin/env node
import { Store } from './store.js';
import { McpPrompt, McpResource, McpResourceTemplate, McpService, McpTool, type Structured, structured, text, createMcpServer } from '@toolwright/core';
import { serveStdio } from '@toolwright/stdio';

const store = new Store();

@McpService()
export class NotesService {
  // Adds a note.
  /**
   * Add a note. Returns its id.
   * @param title its title
   */
  @McpTool({ name: 'add_note', title: 'Add a note', annotations: { readOnlyHint: false } })
  async addNote(/** @minLength 1 */ title: string, tags?: string[]): Promise<Structured<{ id: string }>> {
    const id = await store.add(title, tags ?? []);
    return structured({ id }, id);
  }

  /** Count the notes. */
  @McpTool()
  async count() {
    return text(String(store.size));
  }

  /** Drop a note. */
  @McpTool({ annotations: { destructiveHint: true } })
  async drop(id: string) {
    return text(store.drop(id));
  }

  @McpResource({ uri: 'notes://all', mimeType: 'text/markdown' })
  async all() {
    return store.all();
  }

  /** One note. */
  @McpResourceTemplate({ uriTemplate: 'notes://{id}' })
  async note(id: string) {
    return store.get(id);
  }

  /** Summarise a note. */
  @McpPrompt()
  summarise(id: string) {
    return \`Summarise \${id}.\`;
  }
}

async function main() {
  await serveStdio(await createMcpServer({ name: 'notes', version: '1.2.0', services: [NotesService] }));
  console.error('ready');
}

main();
`);
  expect(notes).toEqual([]);
  expect(counts).toEqual([
    { kind: 'tool', found: 3, converted: 3 },
    { kind: 'resource', found: 1, converted: 1 },
    { kind: 'resource template', found: 1, converted: 1 },
    { kind: 'prompt', found: 1, converted: 1 },
  ]);
});

test("what else uses the SDK's server keeps it, and the note names the lines", () => {
  const { text, notes } = migrate(
    whole.replace("console.error('ready');", 'server.server.oninitialized = () => {};'),
    { 'src/store.ts': store },
  );
  expect(text()).toContain('await server.connect(transport);');
  expect(text()).toContain('const server = new McpServer(');
  expect(notes).toEqual([
    expect.stringMatching(/^src\/notes\.ts:7:7: the SDK's server: It is still used here \(line 60\)/),
  ]);
});

test('a function that only registers stays for its callers, and does nothing', () => {
  const source = `import type { McpServer } from '@modelcontextprotocol/server';

/** Registers the clock. */
export const registerClock = (server: McpServer) => {
  const config = { description: 'Tell the time.' };
  server.registerTool('clock', config, async () => ({
    content: [{ type: 'text', text: new Date().toISOString() }],
  }));
};
`;
  const { text, notes } = migrate(source);
  expect(text()).toBe(`import type { McpServer } from '@modelcontextprotocol/server';
import { McpService, McpTool, text } from '@toolwright/core';

@McpService()
export class NotesTools {
  /** Tell the time. */
  @McpTool()
  async clock() {
    return text(new Date().toISOString());
  }
}

/** Registers the clock. */
export const registerClock = (server: McpServer) => {};
`);
  expect(notes).toEqual([
    'src/notes.ts:4:53: function registerClock: It has nothing left to register. Remove it and its calls, and list NotesTools in the services of createMcpServer.',
  ]);
});

test('line ends, quotes, tabs and a name "text" of the file are kept', () => {
  const source = [
    'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";',
    'export function register(server: McpServer) {',
    '\tserver.tool("it\'s", async () => {',
    '\t\tconst text = "a";',
    '\t\treturn { content: [{ type: "text", text }] };',
    '\t});',
    '}',
    '',
  ].join('\r\n');
  const result = migrate(source).text();
  expect(result.replaceAll('\r\n', '')).not.toContain('\n');
  expect(result.replaceAll('\r\n', '\n'))
    .toContain(`import { McpService, McpTool, text as textContent } from "@toolwright/core";

@McpService()
export class NotesTools {
\t@McpTool({ name: "it's" })
\tasync itS() {
\t\tconst text = "a";
\t\treturn textContent(text);
\t}
}
`);
});

test('what is not a plain registration is left alone', () => {
  const { text, notes } =
    migrate(`import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
export function register(server: McpServer) {
  if (on) server.tool('a', run);
  for (const each of all) { server.tool('b', run); }
  const tool = server.tool('c', run);
  server.tool(prefix + 'a', run);
  server.registerTool('e', options(), run);
  server.registerTool('f', { execution: {} }, run);
  server.registerResource('g', new ResourceTemplate('a://{b}', { list: all }), {}, run);
  server.experimental.tasks.registerToolTask('h', {}, run);
  server.tool();
}
const run = () => ({ content: [] });
`);
  expect(text()).toBe('(unchanged)');
  expect(notes.map((note) => note.replace(/^src.notes.ts:/, '').replace(/\. [A-Z].*/, '.'))).toEqual([
    '3:11: tool "a": The call depends on a condition or is in a loop.',
    '4:29: tool "b": The call depends on a condition or is in a loop.',
    '5:16: tool "c": The program keeps what this call returns, to change or remove it later.',
    '6:15: tool "prefix + \'a\'": The name is computed when the program runs.',
    '7:28: tool "e": The options are not written out as an object.',
    '8:41: tool "f": The option "execution" has no counterpart that is known.',
    '9:32: resource "g": The template has callbacks that list or complete its resources.',
    '10:3: tool "h": The tool is a task.',
    '11:3: tool "": The call has not the arguments that are known.',
  ]);
});

test('a registration inside a class becomes a method of this class', () => {
  const { text, notes } = migrate(`import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
class Tools {
  private readonly server = new McpServer({ name: 'a', version: '1' });
  constructor() {
    this.server.tool('a', () => ({ content: [] }));
  }
}
`);
  expect(text()).toContain('@McpService()\nclass Tools {');
  expect(text()).toContain('  @McpTool()\n  a(): ToolResult {');
  expect(notes).toEqual([
    'src/notes.ts:2:1: class Tools: It is a service now. List it in the services of createMcpServer. ' +
      'Remove what it still does with the server of the SDK.',
  ]);
});

test('a schema with a property "title" is no annotation', () => {
  const { text } = migrate(`import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
export function register(server: McpServer) {
  server.tool('a', { title: z.string() }, async ({ title }) => ({ content: [{ type: 'text', text: title }] }));
  server.tool('b', {}, { title: 'B' }, async () => ({ content: [{ type: 'text', text: 'b' }] }));
}
`);
  expect(text()).toContain('@McpTool()\n  async a(title: string) {');
  expect(text()).toContain("@McpTool({ annotations: { title: 'B' } })\n  async b() {");
});

test("what is not the SDK's is not read", () => {
  expect(
    migrate(
      `import { McpServer } from './own.js';
const server = new McpServer();
server.registerTool('a', {}, () => ({ content: [] }));
`,
      { 'src/own.ts': 'export class McpServer { registerTool(..._all: unknown[]) {} }' },
    ),
  ).toMatchObject({ notes: [], counts: [] });
});
