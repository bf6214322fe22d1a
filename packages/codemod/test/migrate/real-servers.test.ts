import { classOf, migrate } from './migrate-source.js';

// Ways of registering that public servers use.

jest.setTimeout(120_000);

const installed = ['@modelcontextprotocol/sdk', '@toolwright/core', 'zod'];

const imports = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
`;

const all = (converted: number) => [{ kind: 'tool', found: converted, converted }];

test('names and schemas may be members of a constant object', () => {
  const { text, counts } = migrate(
    `${imports}
import { findNotes } from './find-notes.js';
const NAMES = { add: 'notes_add', list: 'notes_list' } as const;
const LIMITS = { text: z.string().min(2) };
export function register(server: McpServer) {
  server.tool(NAMES.add, 'Add a note.', { text: LIMITS.text }, async ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  server.tool(NAMES.list, 'List notes.', async () => ({ content: [{ type: 'text', text: 'none' }] }));
  server.tool(findNotes.name, findNotes.description, findNotes.inputSchema?.shape ?? {}, findNotes.execute);
}
`,
    {
      'src/find-notes.ts': `import { z } from 'zod';
const name = 'notes_find';
const inputSchema = z.object({ query: z.string(), limit: z.number().default(10) });
export const findNotes = {
  name,
  description: 'Find notes.',
  inputSchema,
  execute: async ({ query, limit }: z.infer<typeof inputSchema>) => ({
    content: [{ type: 'text' as const, text: query.repeat(limit) }],
  }),
};
`,
    },
    installed,
  );
  expect(counts).toEqual(all(3));
  expect(text()).toContain(
    "@McpTool({ name: 'notes_add' })\n  async notesAdd(/** @minLength 2 */ text: string)",
  );
  expect(text()).toContain("@McpTool({ name: 'notes_list' })");
  expect(text()).toContain('return findNotes.execute({ limit: 10, ...input });');
});

test('a parameter of the function that registers becomes one of the constructor', () => {
  const { text, notes, counts } = migrate(
    `${imports}
interface Store { load(id: string): Promise<string> }
export const registerRead = (server: McpServer, store: Store): void => {
  server.tool('read', 'Read a note.', { id: z.string() }, async ({ id }) => ({
    content: [{ type: 'text', text: await store.load(id) }],
  }));
};
export function registerDump(server: McpServer, store: Store, clock: () => number) {
  server.tool('store', 'Say what is stored.', async () => {
    const parts = { store, now: clock() };
    return { content: [{ type: 'text', text: JSON.stringify(parts) }] };
  });
}
`,
    {},
    installed,
  );
  expect(counts).toEqual(all(2));
  expect(text()).toContain(
    '  constructor(private readonly store: Store, private readonly clock: () => number) {}\n',
  );
  expect(text()).toContain('return text(await this.store.load(id));');
  expect(text()).toContain('const parts = { store: this.store, now: this.clock() };');
  // The field has its name already.
  expect(text()).toContain("@McpTool({ name: 'store' })\n  async store2() {");
  expect(notes).toContainEqual(
    expect.stringContaining(
      'class NotesTools: Its constructor takes what a function around the registrations had: store, clock. ' +
        'List it in services, and add { provide: NotesTools, useFactory: () => new NotesTools(store, clock) } to providers',
    ),
  );
});

test('a parameter with another type than its namesake leaves a handler alone', () => {
  const { notes, counts } = migrate(`${imports}
export function one(server: McpServer, store: Map<string, string>) {
  server.tool('one', 'One.', async () => ({ content: [{ type: 'text', text: String(store.size) }] }));
}
export function two(server: McpServer, store: string[]) {
  server.tool('two', 'Two.', async () => ({ content: [{ type: 'text', text: String(store.length) }] }));
}
`);
  expect(counts).toEqual([{ kind: 'tool', found: 2, converted: 1 }]);
  expect(notes).toContainEqual(
    expect.stringContaining(
      '"store" is string[] here, and Map<string, string> in another function of this file.',
    ),
  );
});

const table = `const tools = [
  { name: 'one', description: 'One.', schema: { id: z.string() }, run: async (args: { id: string }) => answer(args.id) },
  { name: 'two', description: 'Two.', schema: {}, run: async () => answer('two') },
];
function answer(text: string) {
  return { content: [{ type: 'text' as const, text }] };
}
`;

test.each([
  ['for … of', 'for (const tool of tools) server.tool(tool.name, tool.description, tool.schema, tool.run);'],
  [
    'forEach',
    'tools.forEach((tool) => {\n  server.tool(tool.name, tool.description, tool.schema, tool.run);\n});',
  ],
])('a loop over a table that is written out becomes a method for each row (%s)', (_way, loop) => {
  const { text, counts } = migrate(
    `${imports}
${table}
const server = new McpServer({ name: 'notes', version: '1' });
${loop}
`,
    {},
    installed,
  );
  expect(counts).toEqual(all(2));
  expect(text()).toContain('  async one(id: string): Promise<ToolResult> {\n    return answer(id);\n  }');
  expect(text()).toContain("  async two(): Promise<ToolResult> {\n    return answer('two');\n  }");
  expect(text()).not.toContain('const tools');
  expect(text()).not.toContain('for (const tool');
});

test('a loop over named tools, also of another module, calls them by name', () => {
  const tool = (name: string) => `import { z } from 'zod';
export const name = '${name}';
const run = async () => ({ content: [{ type: 'text' as const, text: name }] });
export default { name, description: 'Say it.', schema: z.object({}).shape, run };
`;
  const { text, counts } = migrate(
    `${imports}
import tools from './tools.js';
import first from './first.js';
export const server = new McpServer({ name: 'notes', version: '1' });
for (const tool of Object.values(tools)) {
  server.tool(tool.name, tool.description, tool.schema, tool.run);
}
for (const tool of [first]) server.tool(\`\${tool.name}\`, tool.description, tool.schema, tool.run);
`,
    {
      'src/tools.ts':
        "import second from './second.js';\nimport third from './third.js';\nexport default { second, third };\n",
      'src/first.ts': tool('first'),
      'src/second.ts': tool('second'),
      'src/third.ts': tool('third'),
    },
    installed,
  );
  // A name that is put together is not written out.
  expect(counts).toEqual([{ kind: 'tool', found: 3, converted: 2 }]);
  expect(text()).toContain('return tools.second.run();');
  expect(text()).toContain('return tools.third.run();');
});

test('a note about a row of a table shows the loop, and a file that stays whole is as it was', () => {
  const { text, notes } = migrate(`${imports}
const tools = [{ name: 'one', description: 'One.', schema: { id: z.date() }, run: async () => ({ content: [] }) }];
export function register(server: McpServer) {
  for (const tool of tools) {
    server.tool(tool.name, tool.description, tool.schema, tool.run);
  }
}
`);
  expect(text()).toBe('(unchanged)');
  expect(notes).toEqual([expect.stringMatching(/^src\/notes\.ts:4:66: tool "one": z\.date\(\) of zod/)]);
});

test('the server may come from a module of the project that exports it again', () => {
  const { counts } = migrate(
    `import { Server as McpServer } from './sdk.js';
export function register(server: McpServer) {
  server.tool('ping', 'Ping.', async () => ({ content: [{ type: 'text', text: 'pong' }] }));
}
`,
    {
      'src/sdk.ts': "export { McpServer as Server } from './deeper.js';\n",
      'src/deeper.ts':
        "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nexport { McpServer };\n",
    },
  );
  expect(counts).toEqual(all(1));
});

test.each([
  ['a name', "export { z } from 'zod';\n"],
  ['the whole module', "import * as z from 'zod';\nexport { z };\n"],
])('zod may come from a module of the project that exports it again, as %s', (_form, source) => {
  const { text, counts } = migrate(
    `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from './schemas.js';

export function register(server: McpServer) {
  server.tool('echo', 'Echo.', { text: z.string().min(1) }, async ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
}
`,
    { 'src/schemas.ts': source },
  );
  expect(counts).toEqual(all(1));
  expect(text()).toContain('/** @minLength 1 */ text: string');
});

test('a project that is not strict is migrated, too', () => {
  const { text, counts } = migrate(
    `${imports}
const Note = z.object({ title: z.string().min(2), tags: z.array(z.string()).optional() });
async function save(note: z.infer<typeof Note>) {
  return { content: [{ type: 'text' as const, text: note.title }] };
}
export function register(server: McpServer, store: any) {
  server.tool('save', 'Save.', Note.shape, save);
  server.tool('load', 'Load.', { id: z.string() }, async ({ id }) => {
    const found = await store.load(id);
    return { content: [{ type: 'text', text: found.title }] };
  });
}
`,
    {},
    installed,
    { strict: false },
  );
  expect(counts).toEqual(all(2));
  expect(text()).toContain('return text(found.title);');
});

test('a class that registers becomes the service, and keeps its fields', () => {
  const { text, notes, counts } = migrate(
    `${imports}
export default class Notes {
  constructor(private readonly store: Map<string, string>) {}

  register(server: McpServer) {
    server.registerTool('read', { description: 'Read a note.', inputSchema: { id: z.string() } }, async ({ id }) => {
      return { content: [{ type: 'text', text: this.store.get(id) ?? '' }] };
    });
    server.tool('add', 'Add a note.', { note: z.object({ id: z.string().min(1) }) }, async ({ note }) => {
      return { content: [{ type: 'text', text: note.id }] };
    });
  }
}
`,
    {},
    installed,
  );
  expect(counts).toEqual(all(2));
  // The type of an argument stands above the class.
  expect(text()).toMatch(/interface AddNote \{[^}]*\}\n\n@McpService\(\)\nexport default class Notes \{/);
  expect(text()).toContain("async read(id: string) {\n    return text(this.store.get(id) ?? '');\n  }\n");
  expect(notes).toContainEqual(
    expect.stringContaining('class Notes: It is a service now, and its constructor takes store.'),
  );
});

test('a class that cannot be a service is left alone', () => {
  const { notes } = migrate(`${imports}
export abstract class Notes {
  register(server: McpServer) {
    server.tool('read', 'Read.', async () => ({ content: [] }));
  }
}
`);
  expect(notes).toEqual([expect.stringContaining('The call is inside a class that cannot be a service')]);
});

test('an enum of TypeScript keeps its name, also in a default', () => {
  const { text, counts } = migrate(
    `${imports}
enum Size { Small = 'S', Large = 'L' }
export function register(server: McpServer) {
  server.tool('order', 'Order one.', { size: z.nativeEnum(Size).default(Size.Small) }, async ({ size }) => ({
    content: [{ type: 'text', text: size === Size.Large ? 'large' : 'small' }],
  }));
}
`,
    {},
    installed,
  );
  expect(counts).toEqual(all(1));
  expect(classOf(text())).toContain('async order(size: Size = Size.Small) {');
});

test('what z.coerce also accepted is said', () => {
  const { text, notes } = migrate(`${imports}
export function register(server: McpServer) {
  server.tool('top', 'Show the first.', { count: z.coerce.number().min(1) }, async ({ count }) => ({
    content: [{ type: 'text', text: String(count) }],
  }));
}
`);
  expect(text()).toContain('async top(/** @minimum 1 */ count: number)');
  expect(notes).toContainEqual(
    expect.stringContaining('tool "top": z.coerce.number() also accepted other values, such as "7" for 7.'),
  );
});
