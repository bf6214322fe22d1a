import { readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createMcpServer, ToolError, type McpServer } from '@toolwright/core';
import { serveHttp, type HttpService } from '@toolwright/http';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { makeOwnCa } from '../../identity/test/support/certificates.js';
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
  server.resourceTemplates.add({
    uriTemplate: 'notes://{folder}/{url}{?limit}',
    name: 'folder',
    complete: { folder: (typed) => ['work', 'world', 'home'].filter((each) => each.startsWith(typed)) },
    handler: (args) => JSON.stringify(args),
  });
  server.resources.add({
    uri: 'notes://two',
    name: 'two',
    handler: () => ({
      contents: [
        { uri: 'notes://two', text: 'one' },
        { uri: 'notes://two', text: 'two' },
      ],
    }),
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
  const folder = temporaryFolder();
  expect((await at(`read URL notes://logo --out ${folder}/logo.png`)).code).toBe(0);
  expect([...readFileSync(join(folder, 'logo.png'))]).toEqual([137, 80, 78, 71]);
  expect((await at('read URL notes://logo')).stdout).toBe('[notes://logo, image/png]\n');
  expect((await at('read URL')).stdout).toBe(
    [
      'notes://today  text/plain',
      '  today',
      'notes://logo  image/png',
      '  The picture.',
      'notes://two',
      '  two',
      'notes://{folder}/{url}{?limit}',
      '  folder',
      '',
    ].join('\n'),
  );
  expect(await at('read URL notes://none')).toMatchObject({ code: 1, stdout: '' });
});

test('read expands a template by RFC 6570, and completes its variables', async () => {
  const read = async (...words: string[]) => {
    const terminal = Object.assign(new RecordingTerminal(__dirname), { columns: undefined });
    return { code: await run(['read', '--url', service.url, ...words], terminal), ...terminal };
  };
  const template = 'notes://{folder}/{url}{?limit}';
  // `url` is an option of the command as well, and the template has it as a variable.
  const words = ['--folder', 'a/b ä', '--url=x', '--limit', '5'];
  const found = await read(template, ...words);
  expect(JSON.parse(found.stdout)).toEqual({ folder: 'a/b ä', url: 'x', limit: '5' });
  const all = await read('--input', '{"folder":"f","url":"u"}', template);
  expect(JSON.parse(all.stdout)).toEqual({ folder: 'f', url: 'u' });
  expect((await read(template, '--folder', 'wo', '--complete', 'folder')).stdout).toBe('work\nworld\n');
  expect(await read(template)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'is a template of addresses. Write the values of its variables: --folder <value>.',
    ),
  });
  expect((await read(template, '--foldr', 'x')).stderr).toContain(
    'The template has no argument --foldr. Did you mean --folder?',
  );
  expect((await read('notes://today', '--help')).stdout).toContain('Usage: toolwright read');
});

test.each([
  [
    'read URL notes://logo --out /nowhere/f',
    1,
    '/nowhere/f cannot be used: ENOENT: no such file or directory (open)',
  ],
  ['read URL notes://logo --out /', 1, '/ cannot be used: EISDIR'],
  ['read URL --out f', 2, '--out needs the address of a resource'],
  ['read URL notes://two --out f', 1, 'The resource has 2 contents, and --out writes one into a file.'],
  [
    'read URL --json --out f notes://logo',
    2,
    "option '-o, --out <file>' cannot be used with option '--json'",
  ],
])('%s writes no file, and says so in one sentence', async (command, code, message) => {
  const { stderr, ...printed } = await at(command);
  expect({ ...printed, lines: stderr.trim().split('\n').length <= 2 }).toEqual({
    code,
    stdout: '',
    lines: true,
  });
  expect(stderr).toContain(message);
});

test.each([
  'list --url http://127.0.0.1:9/mcp --app a.js',
  'list --url http://127.0.0.1:9/mcp --server notes',
  'list --url http://127.0.0.1:9/mcp --stdio a',
  'list --app a.js --server notes',
  'inspect --url http://127.0.0.1:9/mcp --server notes',
  'diff --url http://127.0.0.1:9/mcp --app a.js',
  'call --url http://127.0.0.1:9/mcp find_notes --app a.js',
])('%s is refused: no server is left out in silence', async (command) => {
  const { code, stderr } = await toolwright(command);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/cannot be used with|each name a server/),
  });
});

test('TOOLWRIGHT_URL is a default: an option comes before it, and an empty one is none', async () => {
  const before = process.env['TOOLWRIGHT_URL'];
  const listed = async (variable: string, command: string) => {
    process.env['TOOLWRIGHT_URL'] = variable;
    return toolwright(command);
  };
  try {
    expect((await listed(service.url, 'list')).stdout).toContain('find_notes');
    expect((await listed('http://127.0.0.1:9/mcp', `list --url ${service.url}`)).code).toBe(0);
    const started = await listed('http://127.0.0.1:9/mcp', 'list --stdio /nowhere/server');
    expect(started.stderr).toContain('/nowhere/server cannot be started');
    expect((await listed('', 'list --stdio /nowhere/server')).stderr).toContain('cannot be started');
    expect((await listed('notes', 'list')).stderr).toContain("from env 'TOOLWRIGHT_URL' is invalid");
  } finally {
    if (before === undefined) delete process.env['TOOLWRIGHT_URL'];
    else process.env['TOOLWRIGHT_URL'] = before;
  }
});

test('call and prompt take all arguments in one, before the name too, and their help lists it', async () => {
  const { stdout } = await at('call URL --json --input {"query":"milk"} find_notes');
  expect(JSON.parse(stdout)).toMatchObject({ structuredContent: { query: 'milk', limit: 10 } });
  expect((await at('prompt URL --input {"style":"long"} summarize')).stdout).toContain('Summarize all: long');
  for (const command of ['call', 'prompt', 'read']) {
    const help = (await toolwright(`${command} --help`)).stdout;
    expect(help).toContain('--input <json>');
    expect(help).not.toContain('{}');
  }
  expect((await at('prompt URL summarize --nope 5')).stderr).toContain('The prompt has no argument --nope');
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
  const folder = temporaryFolder();
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
    resources: [{ uri: 'notes://today' }, { uri: 'notes://logo' }, { uri: 'notes://two' }],
    prompts: [{ name: 'summarize' }],
  });
  expect((await inFolder('inspect --server notes')).stdout).toMatch(
    /^notes 1, revision 2026-07-28\n[^]*find_notes/,
  );
  for (const command of ['list', 'inspect'])
    expect(await inFolder(`${command} --config .mcp.json`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('name one of its servers with --server'),
    });
  expect((await inFolder('list --server moved')).stderr).toContain('127.0.0.1:9/mcp cannot be reached');
  expect((await inFolder('list --server noted')).stderr).toContain('Did you mean notes?');
});

test('the tools of a running server can be locked and compared', async () => {
  const folder = temporaryFolder();
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

test('the error for a certificate of an own issuer says how to trust it', async () => {
  const tls = createServer(makeOwnCa('ours').server).listen(0, '127.0.0.1');
  await once(tls, 'listening');
  const { port } = tls.address() as AddressInfo;
  const { code, stderr } = await toolwright(`list --url https://127.0.0.1:${port}/mcp`);
  tls.close();
  expect(code).toBe(1);
  expect(stderr).toMatch(/cannot be reached: .*certificate.*NODE_EXTRA_CA_CERTS=<file>\.\n$/);
});

test('the error for a URL without an MCP endpoint contains the status', async () => {
  const { code, stderr } = await toolwright(`list --url ${service.url.replace('/mcp', '/other')}`);
  expect(code).toBe(1);
  expect(stderr).toMatch(/answered 404|404/);
});
