import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { DevProject } from './support/dev-project.js';
import { programs } from './support/project-folder.js';

let project: DevProject;
let client: Client;

beforeEach(() => (project = new DevProject()));

afterEach(async () => {
  await client.close();
  project.remove();
});

/** A host that starts `toolwright dev` as its server, and counts its notifications. */
async function host(mode: 'legacy' | { pin: string }) {
  let changes = 0;
  let wake: () => void = () => undefined;
  const onChanged = () => {
    changes++;
    wake();
  };
  client = new Client(
    { name: 'host', version: '1.0.0' },
    {
      versionNegotiation: { mode },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged } },
    },
  );
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [programs.toolwright, 'dev', 'src/stdio.ts'],
      cwd: project.folder,
      stderr: 'ignore',
    }),
  );
  return (count: number) =>
    new Promise<void>((resolve) => {
      wake = () => (changes >= count ? resolve() : undefined);
      wake();
    });
}

const text = async (name: string, args: Record<string, unknown>) => {
  const { content } = await client.callTool({ name, arguments: args });
  return (content as { text: string }[])[0]!.text;
};

test.each([
  ['2025-11-25', 'legacy' as const],
  ['2026-07-28', { pin: '2026-07-28' }],
])(
  'a host on standard input, on %s, keeps its server through edits and restarts',
  async (_revision, mode) => {
    const heard = await host(mode);
    const first = await text('take_time', { ms: 0 });

    project.edit('src/note-tools.ts', 'Find notes.', 'Look for notes.');
    await heard(1);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'find_notes')?.description).toMatch(/^Look for notes/);
    expect(await text('take_time', { ms: 0 })).toBe(first);

    const running = text('take_time', { ms: 1000 });
    project.edit('src/notes.ts', 'Call Ann.', 'Call Bob.');
    await heard(2);
    expect(await running).toBe(first);
    expect(await text('take_time', { ms: 0 })).not.toBe(first);
    expect(await text('find_notes', { query: 'Bob' })).toContain('Call Bob.');

    project.edit('src/note-tools.ts', 'Look for notes.', 'Seek notes.');
    await heard(3);
  },
);
