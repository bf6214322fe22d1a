import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMcpServer, ToolError, type McpServer } from '@toolwright/core';
import { serveHttp, type HttpService } from '@toolwright/http';
import { run } from '../src/run.js';
import { RecordingTerminal, toolwright } from './support/recording-terminal.js';

let server: McpServer;
let service: HttpService;

async function serve(): Promise<void> {
  server = await createMcpServer({ name: 'notes', version: '1', services: [], lists: { pageSize: 2 } });
  server.tools.add({
    name: 'find_notes',
    description: 'Find notes by their words.\nBest match first.',
    annotations: { readOnlyHint: true },
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'words to look for' },
        limit: { type: 'integer', default: 10 },
        region: { type: 'string', 'x-mcp-header': 'Region' },
      },
      required: ['query'],
    },
    outputSchema: { type: 'object' },
    handler: (args) => args,
  });
  server.tools.add({
    name: 'fail',
    description: 'Fails.',
    handler: () => {
      throw new ToolError('There is no such note.');
    },
  });
  server.tools.add({
    name: 'rename',
    description: 'Asks for a name.',
    handler: async (_args, context) => {
      context.progress(1, 2, 'asking');
      const { content } = await context.elicit<{ name: string }>('name', {
        message: 'Which name?',
        schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      });
      return `Renamed to ${content?.name}`;
    },
  });
  server.resources.add({
    uri: 'notes://today',
    name: 'today',
    mimeType: 'text/plain',
    handler: () => 'milk',
  });
  server.resources.add({
    uri: 'notes://logo',
    name: 'logo',
    description: 'The picture.',
    mimeType: 'image/png',
    handler: () => new Uint8Array([137, 80, 78, 71]),
  });
  server.prompts.add({
    name: 'summarize',
    description: 'Summarize the notes.',
    arguments: [{ name: 'style', description: 'how', required: true }, { name: 'server' }],
    complete: { style: (typed) => ['short', 'sharp', 'long'].filter((each) => each.startsWith(typed)) },
    handler: ({ style, server: of = 'all' }) => `Summarize ${of}: ${style}`,
  });
  service = await serveHttp(server, { port: 0, signals: false });
}

beforeAll(serve);
afterAll(() => service.close());

const at = (command: string) => toolwright(command.replace('URL', `--url ${service.url}`));

test('list shows all tools with their arguments', async () => {
  const { code, stdout } = await at('list URL');
  expect(code).toBe(0);
  expect(stdout).toBe(
    [
      'find_notes  readOnly',
      '  Find notes by their words.',
      '  Best match first.',
      '    --query   string   required    words to look for',
      '    --limit   integer  default 10',
      '    --region  string',
      'fail',
      '  Fails.',
      'rename',
      '  Asks for a name.',
      '',
    ].join('\n'),
  );
});

test('list --json prints what the server publishes', async () => {
  const tools = JSON.parse((await at('list URL --json')).stdout) as { name: string }[];
  expect(tools.map(({ name }) => name)).toEqual(['find_notes', 'fail', 'rename']);
});

test('call reads the arguments by the schema, and repeats them in headers if the schema says so', async () => {
  const { code, stdout } = await at('call URL find_notes --query milk --limit 5 --region north');
  expect({ code, lines: stdout.split('\n').sort() }).toEqual({
    code: 0,
    lines: ['', 'limit   5', 'query   milk', 'region  north'],
  });
});

test('output that does not go to a terminal is JSON', async () => {
  const terminal = Object.assign(new RecordingTerminal(__dirname), { columns: undefined });
  expect(await run(['call', '--url', service.url, 'find_notes', '--query', 'milk'], terminal)).toBe(0);
  expect(JSON.parse(terminal.stdout)).toEqual({ query: 'milk', limit: 10 });
});

test('call --json prints the whole result', async () => {
  const { stdout } = await at('call URL --json find_notes --query milk');
  expect(JSON.parse(stdout)).toMatchObject({ structuredContent: { query: 'milk', limit: 10 } });
});

test('--help after the name of a tool shows the tool', async () => {
  const { code, stdout } = await at('call find_notes URL --help');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^find_notes {2}readOnly\n {2}Find notes by their words\.\n[^]*--query {3}string {3}required/,
  );
});

test('a tool error goes to standard error and exits with 1', async () => {
  expect(await at('call URL fail')).toEqual({ code: 1, stdout: '', stderr: 'There is no such note.\n' });
});

test.each(['', ' --query milk'])(
  'an unknown tool with "%s" exits with 2 and suggests the nearest name',
  async (words) => {
    const { code, stderr } = await at(`call URL find_note${words}`);
    expect(code).toBe(2);
    expect(stderr).toMatch(/no tool find_note\. Did you mean find_notes\?/);
  },
);

test('an argument that the tool does not accept exits with 2', async () => {
  const { code, stderr } = await at('call URL find_notes --words milk');
  expect(code).toBe(2);
  expect(stderr).toMatch(/no argument --words\. It takes --query, --limit, --region\./);
});

test('the person at the terminal gets the question, and progress is shown', async () => {
  const asked: string[] = [];
  const statuses: string[] = [];
  const terminal = Object.assign(new RecordingTerminal(__dirname), {
    ask: (question: string) => Promise.resolve(asked.push(question) ? 'Plan' : ''),
    status: (text: string) => void statuses.push(text),
  });
  expect(await run(['call', '--url', service.url, 'rename'], terminal)).toBe(0);
  expect({ stdout: terminal.stdout, stderr: terminal.stderr, asked }).toEqual({
    stdout: 'Renamed to Plan\n',
    stderr: 'The server asks:\n│ Which name?\n',
    asked: ['name: '],
  });
  expect(statuses).toContain(`${'█'.repeat(12)}${'░'.repeat(12)}  50 % asking`);
  expect(statuses.at(-1)).toBe('');
});

test('without a person nothing is asked, and the tool says so', async () => {
  const { code, stderr } = await at('call URL rename');
  expect(code).toBe(1);
  expect(stderr).toMatch(/\(-32021\)/);
});

test('read prints a resource, writes bytes into a file, and lists what there is', async () => {
  const terminal = Object.assign(new RecordingTerminal(__dirname), { columns: undefined });
  expect(await run(['read', '--url', service.url, 'notes://today'], terminal)).toBe(0);
  expect(terminal.stdout).toBe('milk');
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-read-'));
  expect((await at(`read URL notes://logo --out ${folder}/logo.png`)).code).toBe(0);
  expect([...readFileSync(join(folder, 'logo.png'))]).toEqual([137, 80, 78, 71]);
  rmSync(folder, { recursive: true });
  expect((await at('read URL notes://logo')).stdout).toBe('[notes://logo, image/png]\n');
  expect((await at('read URL')).stdout).toBe(
    'notes://today  text/plain\n  today\nnotes://logo  image/png\n  The picture.\n',
  );
  expect(await at('read URL notes://none')).toMatchObject({ code: 1, stdout: '' });
});

test('prompt gets a prompt by its arguments, completes one, and lists what there is', async () => {
  const terminal = Object.assign(new RecordingTerminal(__dirname), { columns: undefined });
  expect(await run(['prompt', '--url', service.url, 'summarize', '--style', 'short'], terminal)).toBe(0);
  expect(terminal.stdout).toBe('Summarize all: short');
  // The name of an option of the command is the prompt's, if the prompt has it.
  expect((await at('prompt URL summarize --style=long --server mine')).stdout).toBe(
    'user:\nSummarize mine: long\n',
  );
  expect((await at('prompt URL --complete style summarize --style sh')).stdout).toBe('short\nsharp\n');
  expect((await at('prompt URL')).stdout).toBe(
    'summarize\n  Summarize the notes.\n    --style   required  how\n    --server\n',
  );
  const wrong = await at('prompt URL summarise');
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean summarize?') });
});

test('a server of .mcp.json has its name in every command that talks to one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-named-'));
  const servers = { notes: { type: 'http', url: service.url }, moved: { url: 'http://127.0.0.1:9/mcp' } };
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
  const inFolder = (command: string) => toolwright(command, folder);
  expect((await inFolder('list --server notes')).stdout).toContain('find_notes');
  expect((await inFolder('call find_notes --query milk --server notes')).code).toBe(0);
  expect((await inFolder('read --server notes notes://today')).stdout).toBe('milk\n');
  expect((await inFolder('prompt --server notes')).stdout).toContain('summarize');
  const inspected = await inFolder('inspect --server notes --json');
  expect(JSON.parse(inspected.stdout)).toMatchObject({
    server: { info: { name: 'notes', version: '1' } },
    tools: [{ name: 'find_notes' }, { name: 'fail' }, { name: 'rename' }],
    resources: [{ uri: 'notes://today' }, { uri: 'notes://logo' }],
    prompts: [{ name: 'summarize' }],
  });
  expect((await inFolder('inspect --server notes')).stdout).toMatch(
    /^notes 1, revision 2026-07-28\n[^]*find_notes/,
  );
  expect((await inFolder('list --server moved')).stderr).toContain('127.0.0.1:9/mcp cannot be reached');
  expect((await inFolder('list --server noted')).stderr).toContain('Did you mean notes?');
  rmSync(folder, { recursive: true });
});

test('the tools of a running server can be locked and compared', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-lock-'));
  const lock = join(folder, 'lock.json');
  expect((await at(`lock URL --out ${lock}`)).code).toBe(0);
  expect(await at(`diff URL --lock ${lock}`)).toMatchObject({ code: 0, stdout: 'No changes.\n' });
  server.tools.add({ name: 'new', description: 'New.', handler: () => 'new' });
  const compatible = await at(`diff URL --json --lock ${lock}`);
  expect({ code: compatible.code, changes: JSON.parse(compatible.stdout) }).toEqual({
    code: 0,
    changes: [{ tool: 'new', impact: 'compatible', path: '', message: 'the tool was added' }],
  });
  expect((await at(`diff URL --fail-on any --lock ${lock}`)).code).toBe(1);
  server.tools.remove('new');
  rmSync(folder, { recursive: true });
});

test('a missing or invalid lock file exits with 2', async () => {
  expect(await at('diff URL --lock /nowhere/lock.json')).toMatchObject({ code: 2, stdout: '' });
  const { code, stderr } = await at(`diff URL --lock ${__filename}`);
  expect(code).toBe(2);
  expect(stderr).toMatch(/is not a lock of this version/);
});

test('the error for a server that cannot be reached names it', async () => {
  const { code, stderr } = await toolwright('list --url http://127.0.0.1:9/mcp');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: http:\/\/127\.0\.0\.1:9\/mcp cannot be reached: /);
});

test('the error for a URL without an MCP endpoint contains the status', async () => {
  const { code, stderr } = await toolwright(`list --url ${service.url.replace('/mcp', '/other')}`);
  expect(code).toBe(1);
  expect(stderr).toMatch(/answered 404|404/);
});
