import { chmodSync, statSync } from 'node:fs';
import { runIn } from './support/recording-terminal.js';
import { compilerOptions } from './support/project-folder.js';
import { SmallProject } from './support/small-project.js';

/** A server of the official SDK over standard input and output. */
const source = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'notes', version: '1.0.0' });
const notes = new Map<string, string>();

server.registerTool(
  'add_note',
  {
    title: 'Add a note',
    description: 'Add a note. Returns how many there are.',
    inputSchema: {
      title: z.string().min(2).describe('its title'),
      times: z.number().int().min(1).max(9).default(1),
    },
    outputSchema: { count: z.number() },
    annotations: { destructiveHint: false },
  },
  async ({ title, times }) => {
    for (let each = 0; each < times; each += 1) notes.set(title + each, title);
    return {
      content: [{ type: 'text', text: 'Added ' + title }],
      structuredContent: { count: notes.size },
    };
  },
);

server.tool('read_note', 'Read a note.', { title: z.string() }, async ({ title }) => {
  if (!notes.has(title)) throw new Error('There is no ' + title);
  return { content: [{ type: 'text', text: notes.get(title)! }] };
});

await server.connect(new StdioServerTransport());
`;

const trimmed = `
server.tool('trim', { text: z.string().trim() }, async ({ text }) => ({ content: [{ type: 'text', text }] }));
`;

let project: SmallProject;

function open(text = source): SmallProject {
  project = new SmallProject({
    'package.json': { name: 'notes', type: 'module' },
    'tsconfig.json': { compilerOptions, include: ['src'] },
    'src/notes.ts': text,
  });
  project.install({
    '@modelcontextprotocol/sdk': 'packages/schema-compiler/node_modules/@modelcontextprotocol/sdk',
    zod: 'packages/schema-compiler/node_modules/zod',
  });
  return project;
}

afterEach(() => project.remove());

const calls = [
  ['add_note', '--title', 'tea', '--times', '2'],
  ['add_note', '--title', 'milk'],
  ['read_note', '--title', 'none'],
];

/** What the server answers to each call, in a process of its own. */
const answers = () =>
  calls.map((words) => {
    const call = project.toolwright('call', '--stdio', 'node dist/notes.js', '--json', ...words);
    const { content, structuredContent, isError } = JSON.parse(call.stdout);
    return { status: call.status, content, structuredContent, isError };
  });

test('a server is migrated, compiles, and answers as before', async () => {
  open();
  expect(project.compile()).toMatchObject({ status: 0, stdout: '' });
  const before = answers();
  expect(before).toEqual([
    expect.objectContaining({ status: 0, structuredContent: { count: 2 } }),
    expect.objectContaining({ status: 0, structuredContent: { count: 1 } }),
    expect.objectContaining({ status: 1, isError: true }),
  ]);

  const { status, stdout, stderr } = await runIn(project.folder, 'migrate', '--write');
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: `2 of 2 tools became methods, in 1 file.
Next: npm install @toolwright/core, list NotesTools in the services of a server, and build with toolwright build.
`,
  });
  expect(stdout).toContain('+export class NotesTools {');
  expect(project.read('src/notes.ts')).not.toContain('modelcontextprotocol');

  expect(project.compile()).toMatchObject({ status: 0, stdout: '' });
  expect(await runIn(project.folder, 'build')).toMatchObject({ status: 0 });
  expect(answers()).toEqual(before);
});

test('without --write the change is only shown', async () => {
  open();
  const { status, stdout, stderr } = await runIn(project.folder, 'migrate');
  expect(status).toBe(0);
  expect(stdout).toContain('--- src/notes.ts\n+++ src/notes.ts\n');
  expect(stderr).toContain('Nothing was written. Pass --write to write this.\n');
  expect(project.read('src/notes.ts')).toBe(source);
});

test('what is left is named with its place, and the file keeps its mode', async () => {
  open(source + trimmed);
  chmodSync(project.path('src/notes.ts'), 0o750);
  const { status, stderr } = await runIn(project.folder, 'migrate', '--write');
  expect(status).toBe(0);
  expect(stderr).toContain(
    'src/notes.ts:36:29: tool "trim": .trim() of zod changes the value, and a type cannot say that.',
  );
  expect(stderr).toContain("src/notes.ts:5:7: the SDK's server: It is still used here (line 36)");
  expect(stderr).toContain('2 of 3 tools became methods, in 1 file.\n');
  expect(project.read('src/notes.ts')).toContain(trimmed.trim());
  expect(statSync(project.path('src/notes.ts')).mode & 0o777).toBe(0o750);
});

test('nothing is done where nothing is understood, or nothing is there', async () => {
  open(`import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
const server = new McpServer({ name: 'a', version: '1' });${trimmed}`);
  expect(await runIn(project.folder, 'migrate', '--write')).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining('0 of 1 tool became methods, in 0 files.\n'),
  });
  project.write('src/notes.ts', 'export {};\n');
  expect(await runIn(project.folder, 'migrate')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('registers nothing with an McpServer of the official SDK'),
  });
});
