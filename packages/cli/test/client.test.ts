import { spawn } from 'node:child_process';
import { createMcpServer, ToolError } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { serveHttp, type HttpService } from '@toolwright/http';
import type { JsonSchema } from '@toolwright/json';
import { type Logger, silentLogger } from '@toolwright/core/ports';
import { run } from '../src/run.js';
import { DevProject } from './support/dev-project.js';
import { RecordingTerminal } from './support/recording-terminal.js';

const text = { type: 'string' } as const;
const closed = (
  properties: Record<string, JsonSchema>,
  required: string[] = Object.keys(properties),
): JsonSchema & { type: 'object' } => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const tools: ToolDefinition[] = [
  {
    name: 'find-notes',
    description: 'Find notes. Ends no comment: */ throw',
    inputSchema: closed(
      {
        query: { ...text, description: 'words to look for', minLength: 2 },
        order: { enum: ['new', 'old'], default: 'new' },
        'max-age': { type: 'integer', minimum: 1 },
      },
      ['query'],
    ),
    outputSchema: closed({ notes: { type: 'array', items: closed({ id: { type: 'integer' }, text }) } }),
    handler: ({ query, order }) => ({ notes: [{ id: 1, text: `${String(query)} ${String(order)}` }] }),
  },
  {
    name: 'list_tags',
    inputSchema: closed({}),
    outputSchema: { type: 'array', items: text },
    handler: () => ['a', 'b'],
  },
  {
    name: 'read_tree',
    inputSchema: closed({ depth: { anyOf: [{ type: 'integer' }, { const: 'all' }] } }),
    outputSchema: {
      type: 'object',
      properties: { root: { $ref: '#/$defs/Node' } },
      required: ['root'],
      $defs: {
        Node: closed({ name: text, inner: { type: 'array', items: { $ref: '#/$defs/Node' } } }),
      },
    },
    handler: ({ depth }) => ({ root: { name: String(depth), inner: [{ name: 'leaf', inner: [] }] } }),
  },
  {
    name: 'place',
    inputSchema: closed({
      at: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false, minItems: 2 },
      labels: { type: 'object', additionalProperties: text },
    }),
    handler: ({ at, labels }) => `${JSON.stringify(at)} ${JSON.stringify(labels)}`,
  },
  {
    name: 'client',
    inputSchema: closed({ any: {} }, []),
    handler: () => {
      throw new ToolError('Closed today.');
    },
  },
];

/** A program that uses the client, with mistakes where TypeScript must report one. */
const program = `
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { DeskClient, type FindNotesArguments, ToolFailure } from './desk-client.js';

async function main(): Promise<void> {
  const mode = process.argv[3] === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
  const client = new Client({ name: 'program', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2]!)));
  const desk = new DeskClient(client);

  const wanted: FindNotesArguments = { query: 'milk', order: 'old', 'max-age': 3 };
  const { notes } = await desk.findNotes(wanted);
  const id: number | undefined = notes[0]?.id;
  const tags: string[] = await desk.listTags();
  const { root } = await desk.readTree({ depth: 'all' });
  const leaf: string | undefined = root.inner[0]?.inner[0]?.name ?? root.inner[0]?.name;
  const placed = await desk.place({ at: [1, 2], labels: { north: 'up' } });
  const failure = await desk.client2().catch((error: unknown) => error);

  // @ts-expect-error a required argument is missing
  void (() => desk.findNotes({}));
  // @ts-expect-error no such word
  void (() => desk.findNotes({ query: 'milk', order: 'odd' }));
  // @ts-expect-error numbers
  void (() => desk.place({ at: ['1'], labels: {} }));

  console.log(JSON.stringify({ notes, id, tags, leaf, placed: placed.content, failure: String(failure), is: failure instanceof ToolFailure }));
  await client.close();
}

void main();
`;

let service: HttpService;
let project: DevProject;

beforeAll(async () => {
  project = new DevProject();
  const server = await createMcpServer({
    name: 'desk',
    version: '1.0.0',
    services: [],
    logger: silentLogger,
  });
  for (const tool of tools) server.tools.add(tool);
  service = await serveHttp(server, { port: 0, signals: false });
});

afterAll(async () => {
  await service.close();
  project.remove();
});

test('a typed client compiles under strict, keeps the comments, and works on both eras', async () => {
  const terminal = new RecordingTerminal(project.folder);
  const words = ['client', '--url', service.url, '--out', 'src/desk-client.ts', '--name', 'DeskClient'];
  expect([await run(words, terminal), terminal.stderr]).toEqual([0, '']);
  expect(terminal.stdout).toBe('src/desk-client.ts: DeskClient with 5 tools\n');
  expect(project.read('src/desk-client.ts')).toMatchSnapshot();

  project.write('src/program.ts', program);
  expect(project.compile('--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes')).toMatchObject({
    stdout: '',
    status: 0,
  });
});

test('for a built project, types are those of the methods', () => {
  const { stdout } = project.toolwright('client', '--out', 'src/own-client.ts');
  expect(stdout).toBe('src/own-client.ts: ToolClient with 3 tools\n');
  const written = project.read('src/own-client.ts');
  // The schema for clients has no union with null, because not all clients understand it.
  expect(written).toContain('  heading?: null | string;');
  expect(written).toMatch(/\/\*\* Add a note\. .*\n {2}async addNote\(args: AddNoteArguments,/);
});

test.each(['modern', 'legacy'])('the compiled client calls a server on the %s era', async (era) => {
  const child = spawn(process.execPath, ['dist/program.js', service.url, era], { cwd: project.folder });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (said += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
  await new Promise((resolve) => child.once('close', resolve));
  expect(JSON.parse(said)).toEqual({
    notes: [{ id: 1, text: 'milk old' }],
    id: 1,
    tags: ['a', 'b'],
    leaf: 'leaf',
    placed: [{ type: 'text', text: '[1,2] {"north":"up"}' }],
    failure: 'ToolFailure: Closed today.',
    is: true,
  });
});
