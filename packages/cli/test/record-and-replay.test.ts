import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { DevProject } from './support/dev-project.js';
import { programs } from './support/project-folder.js';

let project: DevProject;
beforeAll(() => {
  project = new DevProject();
  project.build();
});
afterAll(() => project.remove());

/** The official client of one era. */
const official = (mode: 'legacy' | 'auto') =>
  new Client({ name: 'official', version: '1.0.0' }, { versionNegotiation: { mode } });

async function use(client: Client): Promise<void> {
  await client.listTools();
  await client.callTool({ name: 'find_notes', arguments: { query: 'milk' } });
  await client.callTool({ name: 'add_note', arguments: { text: 'Buy milk again.' } });
  await client.callTool({ name: 'find_notes', arguments: { query: 'milk' } });
  await client.close();
}

const replay = (...words: string[]) => project.toolwright('replay', ...words);

/** Builds the app with an edit. Returns a function that builds it without the edit again. */
function edited(file: string, from: string, to: string): () => void {
  const before = project.read(file);
  project.edit(file, from, to);
  project.build();
  return () => {
    project.write(file, before);
    project.build();
  };
}

/** Records what a client does over standard input and output into `calls.jsonl`. */
async function recordCalls(mode: 'legacy' | 'auto'): Promise<void> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [programs.toolwright, 'record', '--out', 'calls.jsonl', 'dist/stdio.js'],
    cwd: project.folder,
    env: { PATH: process.env['PATH']! },
    stderr: 'pipe',
  });
  const client = official(mode);
  await client.connect(transport);
  await use(client);
}

test.each([
  ['legacy', '2025-11-25'],
  ['auto', '2026-07-28'],
] as const)(
  'a client of the era %s is recorded over stdio, and replayed in its revision',
  async (mode, revision) => {
    await recordCalls(mode);
    const last = (file: string) => JSON.parse(project.read(file).trim().split('\n').at(-1)!) as object;
    const asRecorded = { revision, client: { name: 'official', version: '1.0.0' } };
    expect(last('calls.jsonl')).toMatchObject(asRecorded);

    // The replay is recorded, too.
    const again = `node ${programs.toolwright} record --out again-${mode}.jsonl dist/stdio.js`;
    const same = replay('--stdio', again, 'calls.jsonl');
    expect(last(`again-${mode}.jsonl`)).toMatchObject(asRecorded);
    // The second search finds the note that nobody adds again.
    expect(same.status).toBe(1);
    expect(same.stdout).toMatch(
      /^Recorded desk 1\.0\.0, replayed desk 1\.0\.0: 3 of 4 calls, 2 the same\.$/m,
    );
    expect(same.stdout).toContain(
      '1: its tool does not say that it only reads; --all replays it, too: add_note',
    );

    const all = replay('--all', '--stdio', 'node dist/stdio.js', 'calls.jsonl');
    expect([all.status, all.stderr]).toEqual([
      0,
      expect.stringContaining('--all: tools that change or delete'),
    ]);
  },
);

test('what a client does is recorded, and another build is asked the same', async () => {
  await recordCalls('auto');
  const restore = edited('src/format.ts', '<${text}>', '[${text}]');
  const other = replay('--all', '--json', '--stdio', 'node dist/stdio.js', 'calls.jsonl');
  expect(other.status).toBe(1);
  const { differing } = JSON.parse(other.stdout) as { differing: { name: string; differences: object[] }[] };
  expect(differing.map(({ name }) => name)).toEqual(['find_notes', 'find_notes']);
  expect(differing[0]!.differences).toEqual([
    { path: '/structuredContent/texts/0', recorded: '"<Buy milk.>"', replayed: '"[Buy milk.]"' },
  ]);
  restore();
});

test('an app over HTTP is recorded until it ends, and a change of its contract is told as diff tells it', async () => {
  const child = spawn(
    process.execPath,
    [programs.toolwright, 'record', '--out', 'http.jsonl', 'dist/main.js'],
    {
      cwd: project.folder,
      env: { PATH: process.env['PATH'], PORT: '0' },
    },
  );
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const { value: line } = (await lines.next()) as { value: string };
  const client = official('auto');
  await client.connect(new StreamableHTTPClientTransport(new URL(/http\S+/.exec(line)![0])));
  await use(client);
  expect(project.read('http.jsonl')).toContain('"revision":"2026-07-28","client"');
  child.kill('SIGTERM');
  await once(child, 'close');
  expect(said).toMatch(/Recording desk into .*http\.jsonl\.\n.*http\.jsonl has \d+ messages\./);

  const restore = edited('src/note-tools.ts', 'limit: integer = 10', 'limit: integer');
  const { status, stdout } = replay('--app', 'dist/main.js', 'http.jsonl');
  expect(status).toBe(1);
  expect(stdout).toMatch(/tools\/list \(anonymous\): contract\n(.*\n)*?.*breaking.*find_notes/);
  expect(stdout).toContain('a result became an error');
  restore();
});

test('a recording that cannot be read, and a server that is not there, are one line', () => {
  project.write('other.json', '{}\n');
  expect(replay('other.json')).toMatchObject({
    status: 2,
    stdout: '',
    stderr: 'other.json is no recording: its first line does not say so.\n',
  });
  const away = replay('--url', 'http://127.0.0.1:9/mcp', 'calls.jsonl');
  expect(away.status).toBe(1);
  expect(away.stderr.trim().split('\n')).toHaveLength(1);
});

test('a file that is no recording stops the start', () => {
  project.write('notes.txt', 'mine\n');
  const { status, stderr } = project.toolwright('record', '--out', 'notes.txt', 'dist/main.js');
  expect([status, project.read('notes.txt')]).toEqual([1, 'mine\n']);
  expect(stderr).toContain('TW_RECORDING_FILE');
});
